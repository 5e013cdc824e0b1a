import { UpstreamCredentials } from "@carteiro/provider/ChatCredentials.ts"
import { UpstreamNotices } from "@carteiro/provider/ChatNotices.ts"
import { UpstreamPlatform } from "@carteiro/provider/ChatPlatform.ts"
import { Numprov } from "@carteiro/provider/NumberProvider.ts"
import { AgenticPlatform } from "@carteiro/provider/payments/AgenticProvider.ts"
import { CardProcessor } from "@carteiro/provider/payments/CardProvider.ts"
import { PlatformPix } from "@carteiro/provider/payments/PixCharges.ts"
import { PixProviders } from "@carteiro/provider/payments/PixProvider.ts"
import { type SpeechProvider, SpeechProviders, type SpeechVendor } from "@carteiro/provider/SpeechProvider.ts"
import { makeCardproc } from "@carteiro/provider-cardproc/Cardproc.ts"
import { makeNumprov } from "@carteiro/provider-numprov/Numprov.ts"
import { makePixprov1 } from "@carteiro/provider-pixprov1/Pixprov1.ts"
import { chargesOf, makePixprov2 } from "@carteiro/provider-pixprov2/Pixprov2.ts"
import { makeSpeech } from "@carteiro/provider-speech/Speech.ts"
import { makeUpstream } from "@carteiro/provider-upstream/Upstream.ts"
import { readWebhook } from "@carteiro/provider-upstream/webhook/UpstreamWebhook.ts"
import { Effect, Layer } from "effect"
import type { SettingsValues } from "../boot/Settings.ts"

/** The settings adapters read. */
type AdapterSettings = Pick<
  SettingsValues,
  | "upstreamApiBaseUrl"
  | "upstreamApiVersion"
  | "upstreamMessagingProduct"
  | "upstreamAppId"
  | "upstreamAppSecret"
  | "speechprov1ApiBaseUrl"
  | "speechprov2ApiBaseUrl"
  | "speechprov3ApiBaseUrl"
  | "numprovApiBaseUrl"
  | "numprovApiKey"
  | "cardprocApiBaseUrl"
  | "cardprocApiKey"
  | "pixprov1ApiBaseUrl"
  | "pixprov2ApiBaseUrl"
  | "pixprov2PlatformApiKey"
>

/**
 * The vendors this installation is set up for, behind their ports. gaps-2 E "Who calls the upstream", gaps-2 F "TTS",
 * gaps-3 G "Shape of the adapters"
 */
export const adapters = (settings: AdapterSettings): Layer.Layer<never> =>
  Layer.mergeAll(chat(settings), speech(settings), numbers(settings), cards(settings), pix(settings))

const chat = (settings: AdapterSettings): Layer.Layer<never> =>
  settings.upstreamApiBaseUrl === undefined
    ? Layer.empty
    : Layer.merge(
        Layer.succeed(UpstreamNotices, readWebhook),
        Layer.unwrap(
          Effect.map(
            makeUpstream(
              {
                baseUrl: settings.upstreamApiBaseUrl,
                version: settings.upstreamApiVersion,
                messagingProduct: settings.upstreamMessagingProduct
              },
              appOf(settings)
            ),
            ({ credentials, ...platform }) =>
              Layer.merge(Layer.succeed(UpstreamPlatform, platform), Layer.succeed(UpstreamCredentials, credentials))
          )
        )
      )

const numbers = ({ numprovApiBaseUrl: baseUrl, numprovApiKey: apiKey }: AdapterSettings): Layer.Layer<never> =>
  baseUrl === undefined ? Layer.empty : Layer.effect(Numprov, makeNumprov({ baseUrl, apiKey }))

const appOf = ({ upstreamAppId: id, upstreamAppSecret: secret }: AdapterSettings) =>
  id === undefined || secret === undefined ? undefined : { id, secret }

const speech = (settings: AdapterSettings): Layer.Layer<never> =>
  Layer.effect(
    SpeechProviders,
    Effect.gen(function* () {
      const providers: { [V in SpeechVendor]?: SpeechProvider } = {}
      for (const vendor of ["speechprov1", "speechprov2", "speechprov3"] as const) {
        const baseUrl = settings[`${vendor}ApiBaseUrl`]
        if (baseUrl !== undefined) providers[vendor] = yield* makeSpeech({ baseUrl })
      }
      return providers
    })
  )

const cards = ({ cardprocApiBaseUrl: baseUrl, cardprocApiKey: apiKey }: AdapterSettings): Layer.Layer<never> =>
  baseUrl === undefined || apiKey === undefined
    ? Layer.empty
    : Layer.effect(CardProcessor, makeCardproc({ baseUrl, apiKey }))

const pix = ({ pixprov1ApiBaseUrl, pixprov2ApiBaseUrl, pixprov2PlatformApiKey }: AdapterSettings): Layer.Layer<never> =>
  Layer.unwrap(
    Effect.gen(function* () {
      const one = yield* makePixprov1({ baseUrl: pixprov1ApiBaseUrl })
      const two = pixprov2ApiBaseUrl === undefined ? undefined : yield* makePixprov2({ baseUrl: pixprov2ApiBaseUrl })
      return Layer.mergeAll(
        Layer.succeed(PixProviders, {
          ...(one.pix === undefined ? undefined : { pixprov1: one.pix }),
          ...(two === undefined ? undefined : { pixprov2: two })
        }),
        Layer.succeed(AgenticPlatform, one.agentic),
        two === undefined || pixprov2PlatformApiKey === undefined
          ? Layer.empty
          : Layer.succeed(PlatformPix, chargesOf(two, pixprov2PlatformApiKey))
      )
    })
  )
