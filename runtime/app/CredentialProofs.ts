import { type Calls, operatorUrl } from "@carteiro/outbound/Calls.ts"
import { Numprov } from "@carteiro/provider/NumberProvider.ts"
import type { SpeechVendor } from "@carteiro/provider/SpeechProvider.ts"
import { proveElevenLabs } from "@carteiro/provider-elevenlabs/ElevenLabs.ts"
import { proveMercadoPago } from "@carteiro/provider-mercadopago/MercadoPago.ts"
import { proveOpenAi } from "@carteiro/provider-openai/OpenAi.ts"
import { makePixApi } from "@carteiro/provider-pix-api/PixApi.ts"
import { Effect, Redacted } from "effect"
import type { SettingsValues } from "../boot/Settings.ts"
import { cardProcessor, ownPixApiKey } from "./Adapters.ts"
import { vendorCalls } from "./VendorCalls.ts"
import { numberVendors } from "./VoiceAdapters.ts"

/**
 * Whether a vendor accepts the key of a setting; `code` says why it does not, where the vendor tells. It is `unusable` for a
 * setting of an account at an institution that nothing can be charged with.
 */
export interface CredentialProof {
  readonly vendor: string
  readonly setting: string
  readonly proof: "accepted" | "refused" | "unknown"
  readonly code: string | null
}

type Proof = Effect.Effect<CredentialProof | undefined, never, Calls>

/** Proves our keys at the card processor and for Pix, where there are some, by one read each that changes nothing. */
export const provePaymentKeys = (settings: SettingsValues): Effect.Effect<ReadonlyArray<CredentialProof>> =>
  proofsOf(settings, [cardProof(settings), pixProof(settings)])

/** Proves the keys of speech and numbers that the settings name, each by one read that changes nothing. */
export const proveVoiceKeys = (settings: SettingsValues): Effect.Effect<ReadonlyArray<CredentialProof>> =>
  proofsOf(settings, [numberProof(settings), ...speechVendors.map((vendor) => speechProof(settings, vendor))])

const proofsOf = (settings: SettingsValues, proofs: ReadonlyArray<Proof>) =>
  Effect.all(proofs, { concurrency: "unbounded" }).pipe(
    Effect.map((all) => all.filter((proof) => proof !== undefined)),
    Effect.provide(vendorCalls(settings))
  )

const cardProof = (settings: SettingsValues): Proof => {
  const cards = cardProcessor(settings)
  if (cards === undefined) return Effect.succeed(undefined)
  const proof = Effect.flatMap(cards, ({ proveCredential }) => proveCredential)
  const named = { vendor: "the card processor", setting: "CARTEIRO_CARDPROC_API_KEY", code: null }
  return Effect.map(proof, (result) => ({ ...named, proof: result }))
}

/** The service's own account for Pix. The bridge has no read that proves its key. */
const pixProof = (settings: SettingsValues): Proof => {
  const { pixprov2ApiBaseUrl: address, pixprov2Driver: driver, pixprov2PlatformApiKey: key } = settings
  const vendor = "Pix provider 2"
  if (driver === "mercadopago" && address !== undefined && key !== undefined) {
    return Effect.map(proveMercadoPago({ url: operatorUrl(address) }, key), (outcome) =>
      proofOf(vendor, pixKeySetting, outcome)
    )
  }
  const own = driver === "pix-api" ? ownPixApiKey(settings) : undefined
  if (own === undefined || address === undefined) return Effect.succeed(undefined)
  return Effect.gen(function* () {
    const answer = yield* (yield* makePixApi({ url: operatorUrl(address) })).prove(own, true)
    if (answer._tag === "Good") return proofOf(vendor, pixKeySetting, { _tag: "Done" })
    if (answer._tag === "Unknown") return proofOf(vendor, pixKeySetting, answer)
    const unusable = unusableSettings[answer.field]
    const code = unusable === undefined ? "credentials_invalid" : "unusable"
    return proofOf(vendor, unusable ?? pixKeySetting, { _tag: "Refused", code })
  })
}

const pixKeySetting = "CARTEIRO_PIXPROV2_PLATFORM_API_KEY"

/** The settings of an account at an institution beside its client, by the member of its credential. */
const unusableSettings: Readonly<Record<string, string>> = {
  base_url: "CARTEIRO_PIXPROV2_API_BASE_URL",
  certificate_pkcs12_base64: "CARTEIRO_PIXPROV2_PLATFORM_CERTIFICATE",
  certificate_password: "CARTEIRO_PIXPROV2_PLATFORM_CERTIFICATE_PASSWORD",
  pix_key: "CARTEIRO_PIXPROV2_PLATFORM_PIX_KEY"
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
