import { Redacted } from "effect"
import type { SettingsValues } from "../../boot/Settings.ts"
import { type Judgement, wrong } from "./Finding.ts"

/** Returns what the driver of numbers lacks to receive verification codes. */
export const numberSettingsFindings = (settings: SettingsValues): ReadonlyArray<Judgement> => {
  const { numprovApiBaseUrl, numprovApiKey, numprovDriver, numprovMessagingProfileId } = settings
  if (numprovDriver !== "telnyx" || numprovApiBaseUrl === undefined || numprovApiKey === undefined) return []
  const problems: Array<Judgement> = []
  if (numprovMessagingProfileId === undefined) {
    problems.push(
      wrong(
        "CARTEIRO_NUMPROV_MESSAGING_PROFILE_ID is not set: ordered numbers join no profile, and no verification code arrives.",
        "Set it to the id of the profile whose webhook is this installation's address."
      )
    )
  }
  const secrets = [
    ["CARTEIRO_NUMPROV_WEBHOOK_SECRET", settings.numprovWebhookSecret],
    ["CARTEIRO_NUMPROV_WEBHOOK_SECRET_SECOND", settings.numprovWebhookSecretSecond]
  ] as const
  for (const [name, secret] of secrets) {
    if (secret === undefined || isPublicKey(Redacted.value(secret))) continue
    problems.push(
      wrong(
        `${name} is no public key: every notice of the number provider is refused.`,
        "Copy the account's public key from the vendor's portal: 32 bytes in base64."
      )
    )
  }
  return problems
}

const isPublicKey = (text: string): boolean =>
  /^[A-Za-z0-9+/]{43}=$/.test(text.trim()) && Buffer.from(text, "base64").length === 32
