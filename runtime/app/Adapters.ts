import { type Calls, operatorUrl } from "@carteiro/outbound/Calls.ts"
import { UpstreamCredentials } from "@carteiro/provider/ChatCredentials.ts"
import { UpstreamNotices } from "@carteiro/provider/ChatNotices.ts"
import { UpstreamPlatform } from "@carteiro/provider/ChatPlatform.ts"
import { AgenticPlatform } from "@carteiro/provider/payments/AgenticProvider.ts"
import { CardProcessor, CardWebhooks } from "@carteiro/provider/payments/CardProvider.ts"
import { type PixCharges, PlatformPix } from "@carteiro/provider/payments/PixCharges.ts"
import { PixProviders, type PixVendors } from "@carteiro/provider/payments/PixProvider.ts"
import { makeCardproc } from "@carteiro/provider-cardproc/Cardproc.ts"
import { makeMercadoPago, mercadoPagoCharges } from "@carteiro/provider-mercadopago/MercadoPago.ts"
import { keyOf } from "@carteiro/provider-pix-api/Accounts.ts"
import { makePixApi, pixApiCharges } from "@carteiro/provider-pix-api/PixApi.ts"
import { makePixprov1 } from "@carteiro/provider-pixprov1/Pixprov1.ts"
import { chargesOf, makePixprov2 } from "@carteiro/provider-pixprov2/Pixprov2.ts"
import { loadStripe, makeStripe } from "@carteiro/provider-stripe/Stripe.ts"
import { stripeWebhooks } from "@carteiro/provider-stripe/StripeWebhooks.ts"
import { makeUpstream } from "@carteiro/provider-upstream/Upstream.ts"
import { readWebhook } from "@carteiro/provider-upstream/webhook/UpstreamWebhook.ts"
import { Effect, Layer, Redacted } from "effect"
import type { SettingsValues } from "../boot/Settings.ts"
import type { driverSettings } from "../boot/settings/DriverSettings.ts"
import type { voiceSettings } from "../boot/settings/VoiceSettings.ts"
import { vendorMetrics } from "../telemetry/VendorMetrics.ts"
import { vendorCalls } from "./VendorCalls.ts"
import { numberVendors, speechVendors, voiceClients } from "./VoiceAdapters.ts"

/** The settings adapters read. */
type AdapterSettings = Pick<
  SettingsValues,
  | "mode"
  | "upstreamApiBaseUrl"
  | "upstreamApiVersion"
  | "upstreamMessagingProduct"
  | "upstreamAppId"
  | "upstreamAppSecret"
  | "upstreamAppSecretSecond"
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
  | "pixprov2PlatformPayerEmail"
  | "pixprov2PlatformClientId"
  | "pixprov2PlatformCertificate"
  | "pixprov2PlatformCertificatePassword"
  | "pixprov2PlatformPixKey"
  | "webhookTargetAllowlist"
  | "dataDir"
  | "pixApiSimulatorUrl"
  | keyof typeof driverSettings
  | keyof typeof voiceSettings
>

/**
 * The vendors this installation is set up for, behind their ports. gaps-2 E "Who calls the upstream", gaps-2 F "TTS",
 * gaps-3 G "Shape of the adapters"
 */
export const adapters = (settings: AdapterSettings): Layer.Layer<never> =>
  Layer.mergeAll(
    chat(settings),
    speechVendors(settings),
    numberVendors(settings),
    cards(settings),
    pix(settings),
    clients(settings)
  ).pipe(
    Layer.provide(Layer.unwrap(Effect.map(vendorMetrics(vendorsOf(settings)), (watch) => vendorCalls(settings, watch))))
  )

/**
 * Loads the clients of the vendors at a start in production. There a release may be replaced below a running node, and a load
 * that fails once fails until the node ends. In development a first call loads them.
 */
const clients = (settings: AdapterSettings): Layer.Layer<never> => {
  if (settings.mode !== "production") return Layer.empty
  const ofCards = settings.cardprocApiBaseUrl !== undefined && settings.cardprocDriver === "stripe" ? [loadStripe] : []
  const loads = [...ofCards, ...voiceClients(settings)]
  return Layer.effectDiscard(Effect.forEach(loads, (load) => Effect.promise(load), { discard: true }))
}

const vendorsOf = (settings: AdapterSettings) => ({
  upstream: settings.upstreamApiBaseUrl,
  speechprov1: settings.speechprov1ApiBaseUrl,
  speechprov2: settings.speechprov2ApiBaseUrl,
  speechprov3: settings.speechprov3ApiBaseUrl,
  numprov: settings.numprovApiBaseUrl,
  cardproc: settings.cardprocApiBaseUrl,
  pixprov1: settings.pixprov1ApiBaseUrl,
  pixprov2: settings.pixprov2ApiBaseUrl
})

/** Vendors behind their ports; their calls go through the outbound door. */
type Vendors = Layer.Layer<never, never, Calls>

const chat = (settings: AdapterSettings): Vendors =>
  settings.upstreamApiBaseUrl === undefined
    ? Layer.empty
    : Layer.merge(
        Layer.succeed(UpstreamNotices, readWebhook),
        Layer.unwrap(
          Effect.map(
            makeUpstream(
              {
                url: operatorUrl(settings.upstreamApiBaseUrl),
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

const appOf = ({ upstreamAppId: id, upstreamAppSecret: secret, upstreamAppSecretSecond: second }: AdapterSettings) =>
  id === undefined || secret === undefined ? undefined : { id, secrets: [secret, ...(second ? [second] : [])] as const }

/** The card processor of this installation by its driver; undefined while its address or key is missing. */
export const cardProcessor = ({
  cardprocApiBaseUrl: url,
  cardprocApiKey: apiKey,
  cardprocDriver
}: Pick<AdapterSettings, "cardprocApiBaseUrl" | "cardprocApiKey" | "cardprocDriver">) => {
  if (url === undefined || apiKey === undefined) return undefined
  const options = { url: operatorUrl(url), apiKey }
  return cardprocDriver === "stripe" ? makeStripe(options) : makeCardproc(options)
}

const cards = (settings: AdapterSettings): Vendors => {
  const processor = cardProcessor(settings)
  if (settings.cardprocApiBaseUrl === undefined) return Layer.empty
  return Layer.merge(
    settings.cardprocDriver === "stripe" ? Layer.succeed(CardWebhooks, stripeWebhooks) : Layer.empty,
    processor === undefined ? Layer.empty : Layer.effect(CardProcessor, processor)
  )
}

const pix = (settings: AdapterSettings): Vendors =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { pixprov1ApiBaseUrl } = settings
      const one = yield* makePixprov1({
        url: pixprov1ApiBaseUrl === undefined ? undefined : operatorUrl(pixprov1ApiBaseUrl)
      })
      const { charges, vendors } = yield* pixprov2(settings)
      return Layer.mergeAll(
        Layer.succeed(PixProviders, { ...(one.pix === undefined ? undefined : { pixprov1: one.pix }), ...vendors }),
        Layer.succeed(AgenticPlatform, one.agentic),
        charges === undefined ? Layer.empty : Layer.succeed(PlatformPix, charges)
      )
    })
  )

/** Returns Pix provider 2 by its driver, and the service's own account there. */
const pixprov2 = Effect.fnUntraced(function* (
  settings: AdapterSettings
): Effect.fn.Return<{ readonly vendors: PixVendors; readonly charges?: PixCharges }, never, Calls> {
  const { pixprov2ApiBaseUrl, pixprov2Driver: driver, pixprov2PlatformApiKey: key } = settings
  const url = pixprov2ApiBaseUrl === undefined ? undefined : operatorUrl(pixprov2ApiBaseUrl)
  // Accounts at institutions bring their own address, whatever the service's own account speaks.
  const standard = yield* makePixApi({ url: driver === "pix-api" ? url : undefined })
  if (driver === "pix-api") {
    const own = ownPixApiKey(settings)
    return {
      vendors: { "pix-api": standard },
      ...(own === undefined ? undefined : { charges: pixApiCharges(standard, own) })
    }
  }
  if (url === undefined) return { vendors: { "pix-api": standard } }
  if (driver === "mercadopago") {
    const mercadopago = yield* makeMercadoPago({ url })
    const own = key && mercadoPagoCharges(mercadopago, key, settings.pixprov2PlatformPayerEmail)
    return { vendors: { mercadopago, "pix-api": standard }, ...(own === undefined ? undefined : { charges: own }) }
  }
  const bridge = yield* makePixprov2({ url })
  const own = key === undefined ? undefined : { charges: chargesOf(bridge, key) }
  return { vendors: { pixprov2: bridge, "pix-api": standard }, ...own }
})

/** Returns the credential of the service's own account at an institution; undefined unless all of its parts are set. */
export const ownPixApiKey = (settings: AdapterSettings): Redacted.Redacted | undefined => {
  const {
    pixprov2ApiBaseUrl: base_url,
    pixprov2PlatformApiKey: secret,
    pixprov2PlatformCertificate: certificate_pkcs12_base64,
    pixprov2PlatformCertificatePassword: password,
    pixprov2PlatformClientId: client_id,
    pixprov2PlatformPixKey: pix_key
  } = settings
  if (base_url === undefined || secret === undefined || client_id === undefined || pix_key === undefined)
    return undefined
  if (certificate_pkcs12_base64 === undefined) return undefined
  const client_secret = Redacted.value(secret)
  const certificate_password = password === undefined ? "" : Redacted.value(password)
  return Redacted.make(
    keyOf({
      base_url,
      client_id,
      client_secret,
      certificate_pkcs12_base64: Redacted.value(certificate_pkcs12_base64),
      certificate_password,
      pix_key
    })
  )
}
