import { Ids } from "@carteiro/owners/Ids.ts"
import { PixProviders, pixProviderOf } from "@carteiro/provider/payments/PixProvider.ts"
import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { UpstreamConnectionAlreadyExists } from "@carteiro/schema/provider-connections/ProviderConnectionErrors.ts"
import {
  InvalidSetupSessionRequest,
  SetupTargetNotConfigured
} from "@carteiro/schema/provider-connections/SetupSessionErrors.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { jsonText } from "@carteiro/tables/StoredJson.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Effect, Redacted } from "effect"
import { SpeechCredentials } from "../../media/Media.ts"
import { type PaymentsAccount, PaymentsConnections } from "../connection/PaymentsConnections.ts"
import { StoredConnectionRepo } from "../connection/StoredConnectionRepo.ts"
import { UpstreamConnecting } from "../manage/UpstreamConnecting.ts"
import { makeVetAgenticUrl } from "./AgenticBaseUrl.ts"
import { KeyedPixDriver } from "./SetupActions.ts"
import type { EnteredCredentials, PaymentCredentials, PixApiCredentials } from "./SetupCredentials.ts"
import type { StoredSetup } from "./SetupState.ts"

/** Returns the rows that store the credentials of a setup, once they are proven as far as a vendor allows it. */
export const makeCredentialRows = Effect.gen(function* () {
  const connections = yield* StoredConnectionRepo
  const connecting = yield* UpstreamConnecting
  const payments = yield* PaymentsConnections
  const speech = yield* SpeechCredentials
  const ids = yield* Ids
  const vetAgenticUrl = yield* makeVetAgenticUrl
  const vendors = yield* PixProviders
  const secrets = yield* Secrets
  const keyedPix = yield* KeyedPixDriver
  const hasKeyedPix = pixProviderOf(vendors, { provider: "pixprov2", driver: keyedPix }) !== undefined

  /** Returns the row of an account that takes payments: a new one, or the live one with other secrets. */
  const connected = Effect.fnUntraced(function* (
    account: PaymentsAccount,
    now: number
  ): Effect.fn.Return<Made, ApiError> {
    const { channel, driver, environment_id, provider } = account
    const live = yield* payments.live(environment_id, provider, channel)
    const before = live === undefined ? undefined : yield* payments.find(environment_id, live)
    // Payments under way are looked up on the wire on which they were made.
    if (before !== undefined && provider === "pixprov2" && (before.driver ?? "bridge") !== (driver ?? "bridge")) {
      return yield* new InvalidSetupSessionRequest({ param: "credentials.driver", message: otherDriver })
    }
    const connectionId = live ?? ids.mint("pcn", now)
    // The notices of the standard are proven by a path that nobody can guess. Another certificate keeps it, since the
    // institution calls it until a charge registers the next one; it is sealed anew, by the present master key.
    const path = () =>
      before?.webhook_secret === undefined
        ? Buffer.from(secrets.mac("capability_url", `pix/${connectionId}/${now}`)).toString("base64url")
        : Redacted.value(before.webhook_secret)
    const proven = driver === "pix-api" ? { ...account, webhook_secret: path() } : account
    const row = live === undefined ? payments.insert(proven, connectionId, now) : payments.replace(proven, live, now)
    return { row, connectionId, sttProvider: null }
  })

  /** Refuses credentials that the account's institution, or its certificate's file, shows to be wrong. */
  const provesPix = Effect.fnUntraced(function* ({ api_key, driver }: PaymentsAccount, environment: EnvironmentKind) {
    const vendor = pixProviderOf(vendors, { provider: "pixprov2", driver: driver ?? null })
    const answer = yield* vendor?.prove?.(Redacted.make(api_key), environment === "production") ??
      Effect.succeed({ _tag: "Good" as const })
    if (answer._tag === "Bad") {
      return yield* new InvalidSetupSessionRequest({ param: `credentials.${answer.field}`, message: answer.message })
    }
    if (answer._tag === "Unknown") {
      return yield* new InvalidSetupSessionRequest({ param: "credentials.base_url", message: noAnswer })
    }
    return
  })

  /** Returns the wire of an account that has one key. */
  const keyedDriver = (target: StoredSetup["target"]) => (target === "pixprov2.payments" ? keyedPix : undefined)

  /** Returns the rows that store the credentials, in the commit that completes the session. */
  return Effect.fnUntraced(function* (
    session: StoredSetup,
    { _tag, body }: EnteredCredentials,
    now: number
  ): Effect.fn.Return<Made, ApiError> {
    const { environment, environment_id, target } = session
    switch (_tag) {
      case "Upstream": {
        const place = { environment, environment_id, now }
        const { connection, row } = yield* Effect.mapError(connecting.register(place, body), beneathCredentials)
        if ((yield* connections.live(environment_id, connection.channel)) !== undefined) {
          return yield* new UpstreamConnectionAlreadyExists()
        }
        return { row, connectionId: connection.id, sttProvider: null }
      }
      case "Payments": {
        yield* vetAgenticUrl(body.agentic_api_base_url, environment)
        const account = { ...paymentsAccount(session, body), driver: keyedDriver(target) }
        if (environment === "production" && target === "pixprov2.payments" && !hasKeyedPix) {
          return yield* new SetupTargetNotConfigured()
        }
        return yield* connected(account, now)
      }
      case "PixApi": {
        const account = pixApiAccount(session, body)
        yield* provesPix(account, environment)
        return yield* connected(account, now)
      }
      case "Speech": {
        const [vendor, use] = target.split(".") as ["speechprov1" | "speechprov2" | "speechprov3", string]
        const row = speech.keep(environment_id, vendor, body.api_key, now)
        return { row, connectionId: null, sttProvider: use === "stt" ? vendor : null }
      }
    }
  })
})

interface Made {
  readonly row: Row
  readonly connectionId: string | null
  readonly sttProvider: string | null
}

/** Returns a refusal of the registration with its field moved below `credentials`, where the body has it. */
const beneathCredentials = (error: ApiError): ApiError => {
  if (error.param === undefined) return error
  const param = `credentials.${error.param}`
  if (error._tag === "invalid_provider_connection_request") return new InvalidSetupSessionRequest({ param })
  const { _tag, message, status, type } = error
  return new ApiError({ _tag, message, param, status, type })
}

const otherDriver =
  "This environment has a live account of pixprov2 on another protocol; disconnect it first, then connect this one in a new setup session."

const noAnswer =
  "Nothing at base_url gave an answer that can be used, or the institution refused the certificate; check both with the institution, and try again."

/** The account's key is all of its credentials. */
const pixApiAccount = (session: StoredSetup, body: PixApiCredentials): PaymentsAccount => {
  const { base_url, certificate_password, certificate_pkcs12_base64, client_id, client_secret, driver, pix_key } = body
  const credential = { base_url, client_id, client_secret, certificate_pkcs12_base64, certificate_password, pix_key }
  const receiver = { merchant_name: body.merchant_name ?? null, key: pix_key, key_type: null }
  return {
    environment_id: session.environment_id,
    environment: session.environment,
    provider: "pixprov2",
    channel: "payments",
    display_name: body.display_name ?? "pixprov2 payments",
    driver,
    api_key: JSON.stringify(credential),
    payment_receiver: jsonText(receiver)
  }
}

const paymentsAccount = (session: StoredSetup, body: PaymentCredentials): PaymentsAccount => {
  const [provider, channel] = session.target.split(".") as [PaymentsAccount["provider"], PaymentsAccount["channel"]]
  const { merchant_name, pix_key, pix_key_type } = body
  const receiver = { merchant_name: merchant_name ?? null, key: pix_key ?? null, key_type: pix_key_type ?? null }
  return {
    environment_id: session.environment_id,
    environment: session.environment,
    provider,
    channel,
    display_name: body.display_name ?? `${provider} ${channel.replace("_", " ")}`,
    api_key: body.api_key,
    webhook_secret: body.webhook_secret,
    payment_receiver: Object.values(receiver).some((one) => one !== null) ? jsonText(receiver) : undefined,
    default_participant_id: body.participant_id,
    agent_id: body.agent_id,
    agentic_api_base_url: body.agentic_api_base_url
  }
}
