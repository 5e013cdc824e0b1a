import { Calls, operatorUrl } from "@carteiro/outbound/Calls.ts"
import { NameResolver } from "@carteiro/outbound/NameResolver.ts"
import { Numprov } from "@carteiro/provider/NumberProvider.ts"
import type { SpeechVendor } from "@carteiro/provider/SpeechProvider.ts"
import { proveElevenLabs } from "@carteiro/provider-elevenlabs/ElevenLabs.ts"
import { proveOpenAi } from "@carteiro/provider-openai/OpenAi.ts"
import { Effect, Layer, Redacted } from "effect"
import type { SettingsValues } from "../boot/Settings.ts"
import { numberVendors } from "./VoiceAdapters.ts"

/** Whether a vendor accepts the key of a setting; `code` says why it does not. */
export interface KeyProof {
  readonly vendor: string
  readonly setting: string
  readonly proof: "accepted" | "refused" | "unknown"
  readonly code: string | null
}

/** Proves the keys of speech and numbers that the settings name, each by one read that changes nothing. */
export const proveVoiceKeys = (settings: SettingsValues): Effect.Effect<ReadonlyArray<KeyProof>> =>
  Effect.all([numberProof(settings), ...speechVendors.map((vendor) => speechProof(settings, vendor))], {
    concurrency: "unbounded"
  }).pipe(
    Effect.map((proofs) => proofs.filter((proof) => proof !== undefined)),
    Effect.provide(Layer.provide(Calls.layer({ allowlist: settings.webhookTargetAllowlist }), NameResolver.layer))
  )

const speechVendors = ["speechprov1", "speechprov2", "speechprov3"] as const

interface Outcome {
  readonly _tag: string
  readonly code?: string
}

const proofOf = (vendor: string, setting: string, { _tag, code }: Outcome): KeyProof => ({
  vendor,
  setting,
  proof: _tag === "Done" ? "accepted" : _tag === "Refused" ? "refused" : "unknown",
  code: code ?? null
})

const numberProof = (settings: SettingsValues): Effect.Effect<KeyProof | undefined, never, Calls> =>
  Effect.gen(function* () {
    const account = (yield* Numprov)?.platform
    if (account === undefined) return undefined
    return proofOf("the number provider", "CARTEIRO_NUMPROV_API_KEY", yield* account.read)
  }).pipe(Effect.provide(numberVendors(settings)))

/** The bridge has no read that proves a key of speech. */
const speechProof = (
  settings: SettingsValues,
  vendor: SpeechVendor
): Effect.Effect<KeyProof | undefined, never, Calls> => {
  const address = settings[`${vendor}ApiBaseUrl`]
  const key = settings[`${vendor}ApiKey`]
  const driver = settings[`${vendor}Driver`]
  if (address === undefined || key === undefined || driver === "bridge") return Effect.succeed(undefined)
  const prove = driver === "openai" ? proveOpenAi : proveElevenLabs
  const name = `speech provider ${vendor.slice(-1)}`
  return Effect.map(prove({ url: operatorUrl(address) }, Redacted.value(key)), (outcome) =>
    proofOf(name, settingOf[vendor], outcome)
  )
}

const settingOf = {
  speechprov1: "CARTEIRO_SPEECHPROV1_API_KEY",
  speechprov2: "CARTEIRO_SPEECHPROV2_API_KEY",
  speechprov3: "CARTEIRO_SPEECHPROV3_API_KEY"
} as const
