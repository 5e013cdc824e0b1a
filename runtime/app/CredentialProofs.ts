import { Calls, operatorUrl } from "@carteiro/outbound/Calls.ts"
import { NameResolver } from "@carteiro/outbound/NameResolver.ts"
import { Numprov } from "@carteiro/provider/NumberProvider.ts"
import type { SpeechVendor } from "@carteiro/provider/SpeechProvider.ts"
import { proveElevenLabs } from "@carteiro/provider-elevenlabs/ElevenLabs.ts"
import { proveOpenAi } from "@carteiro/provider-openai/OpenAi.ts"
import { Effect, Layer, Redacted } from "effect"
import type { SettingsValues } from "../boot/Settings.ts"
import { cardProcessor } from "./Adapters.ts"
import { numberVendors } from "./VoiceAdapters.ts"

/** Whether a vendor accepts the key of a setting; `code` says why it does not, where the vendor tells. */
export interface CredentialProof {
  readonly vendor: string
  readonly setting: string
  readonly proof: "accepted" | "refused" | "unknown"
  readonly code: string | null
}

type Proof = Effect.Effect<CredentialProof | undefined, never, Calls>

/** Proves our key at the card processor, if there is one, by one read that changes nothing. */
export const proveCardKey = (settings: SettingsValues): Effect.Effect<ReadonlyArray<CredentialProof>> =>
  proofsOf(settings, [cardProof(settings)])

/** Proves the keys of speech and numbers that the settings name, each by one read that changes nothing. */
export const proveVoiceKeys = (settings: SettingsValues): Effect.Effect<ReadonlyArray<CredentialProof>> =>
  proofsOf(settings, [numberProof(settings), ...speechVendors.map((vendor) => speechProof(settings, vendor))])

const proofsOf = ({ webhookTargetAllowlist }: SettingsValues, proofs: ReadonlyArray<Proof>) =>
  Effect.all(proofs, { concurrency: "unbounded" }).pipe(
    Effect.map((all) => all.filter((proof) => proof !== undefined)),
    Effect.provide(Layer.provide(Calls.layer({ allowlist: webhookTargetAllowlist }), NameResolver.layer))
  )

const cardProof = (settings: SettingsValues): Proof => {
  const cards = cardProcessor(settings)
  if (cards === undefined) return Effect.succeed(undefined)
  const proof = Effect.flatMap(cards, ({ proveCredential }) => proveCredential)
  const named = { vendor: "the card processor", setting: "CARTEIRO_CARDPROC_API_KEY", code: null }
  return Effect.map(proof, (result) => ({ ...named, proof: result }))
}

const speechVendors = ["speechprov1", "speechprov2", "speechprov3"] as const

interface Outcome {
  readonly _tag: string
  readonly code?: string
}

const proofOf = (vendor: string, setting: string, { _tag, code }: Outcome): CredentialProof => ({
  vendor,
  setting,
  proof: _tag === "Done" ? "accepted" : _tag === "Refused" ? "refused" : "unknown",
  code: code ?? null
})

const numberProof = (settings: SettingsValues): Proof =>
  Effect.gen(function* () {
    const account = (yield* Numprov)?.platform
    if (account === undefined) return undefined
    return proofOf("the number provider", "CARTEIRO_NUMPROV_API_KEY", yield* account.read)
  }).pipe(Effect.provide(numberVendors(settings)))

/** The bridge has no read that proves a key of speech. */
const speechProof = (settings: SettingsValues, vendor: SpeechVendor): Proof => {
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
