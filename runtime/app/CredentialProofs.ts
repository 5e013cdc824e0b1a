import { Calls } from "@carteiro/outbound/Calls.ts"
import { NameResolver } from "@carteiro/outbound/NameResolver.ts"
import { Effect, Layer } from "effect"
import type { SettingsValues } from "../boot/Settings.ts"
import { cardProcessor } from "./Adapters.ts"

/** Whether a vendor accepts the key of a setting. */
export interface CredentialProof {
  readonly vendor: string
  readonly setting: string
  readonly proof: "accepted" | "refused" | "unknown"
}

/** Proves the keys of vendors that the settings name, each by one read that changes nothing. */
export const proveCredentials = (settings: SettingsValues): Effect.Effect<ReadonlyArray<CredentialProof>> => {
  const cards = cardProcessor(settings)
  if (cards === undefined) return Effect.succeed([])
  const proof = Effect.flatMap(cards, ({ proveCredential }) => proveCredential)
  return Effect.map(
    proof,
    (result): ReadonlyArray<CredentialProof> => [
      { vendor: "the card processor", setting: "CARTEIRO_CARDPROC_API_KEY", proof: result }
    ]
  ).pipe(Effect.provide(Layer.provide(Calls.layer({ allowlist: settings.webhookTargetAllowlist }), NameResolver.layer)))
}
