import { type Calls, type OperatorUrl, operatorUrl } from "@carteiro/outbound/Calls.ts"
import { Numprov, NumprovWebhooks } from "@carteiro/provider/NumberProvider.ts"
import { type SpeechProvider, SpeechProviders, type SpeechVendor } from "@carteiro/provider/SpeechProvider.ts"
import { makeElevenLabs } from "@carteiro/provider-elevenlabs/ElevenLabs.ts"
import { makeNumprov } from "@carteiro/provider-numprov/Numprov.ts"
import { loadOpenAi, makeOpenAi } from "@carteiro/provider-openai/OpenAi.ts"
import { makeSpeech } from "@carteiro/provider-speech/Speech.ts"
import { loadTelnyx, makeTelnyx } from "@carteiro/provider-telnyx/Telnyx.ts"
import { telnyxWebhooks } from "@carteiro/provider-telnyx/TelnyxWebhooks.ts"
import { Effect, Layer } from "effect"
import type { SettingsValues } from "../boot/Settings.ts"

type Vendors = Layer.Layer<never, never, Calls>

/** Returns what loads the clients of the vendors of speech and numbers that an installation is set up for. */
export const voiceClients = (settings: SpeechSettings & NumberSettings): ReadonlyArray<() => Promise<unknown>> => [
  ...(settings.numprovApiBaseUrl !== undefined && settings.numprovDriver === "telnyx" ? [loadTelnyx] : []),
  ...(speechRoles.some((role) => settings[`${role}ApiBaseUrl`] !== undefined && settings[`${role}Driver`] === "openai")
    ? [loadOpenAi]
    : [])
]

type NumberSettings = Pick<
  SettingsValues,
  "numprovApiBaseUrl" | "numprovApiKey" | "numprovDriver" | "numprovMessagingProfileId" | "numprovRequirementGroupId"
>

/** The number provider by its driver; without an address there is none. */
export const numberVendors = (settings: NumberSettings): Vendors => {
  const { numprovApiBaseUrl, numprovApiKey: apiKey, numprovDriver: driver } = settings
  if (numprovApiBaseUrl === undefined) return Layer.empty
  const url = operatorUrl(numprovApiBaseUrl)
  if (driver === "bridge") return Layer.effect(Numprov, makeNumprov({ url, apiKey }))
  const { numprovMessagingProfileId: messagingProfileId, numprovRequirementGroupId: requirementGroupId } = settings
  return Layer.merge(
    Layer.effect(Numprov, makeTelnyx({ url, apiKey, messagingProfileId, requirementGroupId })),
    Layer.succeed(NumprovWebhooks, telnyxWebhooks)
  )
}

const speechRoles = ["speechprov1", "speechprov2", "speechprov3"] as const

type SpeechSettings = Pick<
  SettingsValues,
  | `${SpeechVendor}ApiBaseUrl`
  | `${SpeechVendor}Driver`
  | `${SpeechVendor}Model`
  | `${SpeechVendor}Voices`
  | "speechprov1TranscriptionModel"
>

/** The vendors of speech by their drivers; one without an address is left out. */
export const speechVendors = (settings: SpeechSettings): Vendors =>
  Layer.effect(
    SpeechProviders,
    Effect.gen(function* () {
      const providers: { [V in SpeechVendor]?: SpeechProvider } = {}
      for (const vendor of speechRoles) {
        const address = settings[`${vendor}ApiBaseUrl`]
        if (address !== undefined) providers[vendor] = yield* speechVendor(settings, vendor, operatorUrl(address))
      }
      return providers
    })
  )

const speechVendor = (
  settings: SpeechSettings,
  vendor: SpeechVendor,
  url: OperatorUrl
): Effect.Effect<SpeechProvider, never, Calls> => {
  const more = { url, model: settings[`${vendor}Model`], voices: settings[`${vendor}Voices`] }
  switch (settings[`${vendor}Driver`]) {
    case "bridge":
      return makeSpeech({ url })
    case "elevenlabs":
      return makeElevenLabs(more)
    case "openai":
      return makeOpenAi({ ...more, transcriptionModel: settings.speechprov1TranscriptionModel })
  }
}
