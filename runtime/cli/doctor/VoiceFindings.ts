import { Redacted } from "effect"
import type { KeyProof } from "../../app/VoiceProofs.ts"
import type { SettingsValues } from "../../boot/Settings.ts"
import { attention, type Judgement, well, wrong } from "./Finding.ts"

/** Returns what vendors of speech and numbers said of the keys of the settings. */
export const keyFindings = (proofs: ReadonlyArray<KeyProof>): ReadonlyArray<Judgement> =>
  proofs.map(({ code, proof, setting, vendor }) => {
    switch (proof) {
      case "accepted":
        return well(`${setting} is accepted by ${vendor}.`)
      case "refused":
        return code === "messaging_profile_missing"
          ? wrong(
              `The account of ${setting} has no messaging profile: no verification code reaches its numbers.`,
              "Make one in the vendor's portal with this installation's webhook address, and set CARTEIRO_NUMPROV_MESSAGING_PROFILE_ID."
            )
          : wrong(
              `${setting} is refused by ${vendor} (${code ?? "no reason given"}).`,
              "Copy the key anew from the vendor's pages, and see that it may read its account."
            )
      case "unknown":
        return attention(
          `Whether ${setting} is accepted is unknown: ${vendor} gave no usable answer.`,
          "Look again; if it stays so, see that the address is right."
        )
    }
  })

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
