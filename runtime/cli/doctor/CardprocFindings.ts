import { Redacted } from "effect"
import type { SettingsValues } from "../../boot/Settings.ts"
import { attention, type Judgement, wrong } from "./Finding.ts"

/** The public API of the driver `stripe`. */
const publicStripe = "api.stripe.com"

/** Returns what is wrong with the card processor's settings, which each of them alone does not show. */
export const cardprocFindings = ({
  cardprocApiBaseUrl,
  cardprocApiKey,
  cardprocDriver,
  mode
}: Pick<
  SettingsValues,
  "cardprocApiBaseUrl" | "cardprocApiKey" | "cardprocDriver" | "mode"
>): ReadonlyArray<Judgement> => {
  if (cardprocApiBaseUrl === undefined) {
    return cardprocApiKey === undefined || mode !== "production"
      ? []
      : [
          wrong(
            "CARTEIRO_CARDPROC_API_KEY is set and CARTEIRO_CARDPROC_API_BASE_URL is not: no card can be charged.",
            `Set CARTEIRO_CARDPROC_API_BASE_URL, such as https://${publicStripe}.`
          )
        ]
  }
  const { hostname, pathname } = new URL(cardprocApiBaseUrl)
  if (cardprocDriver !== "stripe") {
    return hostname === publicStripe
      ? [
          wrong(
            `CARTEIRO_CARDPROC_API_BASE_URL names ${publicStripe}, and CARTEIRO_CARDPROC_DRIVER is ${cardprocDriver}: every call is refused.`,
            "Set CARTEIRO_CARDPROC_DRIVER to stripe."
          )
        ]
      : []
  }
  const problems: Array<Judgement> = []
  if (pathname !== "/") {
    problems.push(
      wrong(
        "CARTEIRO_CARDPROC_API_BASE_URL has a path, which the driver stripe leaves out.",
        "Remove the path from the address."
      )
    )
  }
  const key = cardprocApiKey === undefined ? "" : Redacted.value(cardprocApiKey)
  if (key.startsWith("pk_")) {
    problems.push(
      wrong(
        "CARTEIRO_CARDPROC_API_KEY is a publishable key, with which nothing can be charged.",
        "Set it to a secret or a restricted key."
      )
    )
  }
  if (mode === "production" && hostname === publicStripe && /^[sr]k_test_/.test(key)) {
    problems.push(
      attention(
        "CARTEIRO_CARDPROC_API_KEY is a key of the test mode: cards are charged no real money.",
        "Set it to a key of the live mode before people pay."
      )
    )
  }
  return problems
}
