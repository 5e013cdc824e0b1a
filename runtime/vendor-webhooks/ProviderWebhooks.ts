import { reply } from "@carteiro/http-edge/Reply.ts"
import { type RawRequest, Routes, type RouteTable } from "@carteiro/http-edge/Routes.ts"
import type { PixNotices, ProvenNotice } from "@carteiro/provider/payments/PixNotices.ts"
import type { ProviderEvent, WebhookScheme } from "@carteiro/provider/WebhookScheme.ts"
import {
  ProviderWebhookNotConfigured,
  ProviderWebhookSignatureInvalid
} from "@carteiro/schema/conventions/ProviderWebhookErrors.ts"
import { isTimeSigned } from "@carteiro/vendor-http/TimedSignature.ts"
import { jsonOf } from "@carteiro/vendor-http/VendorAnswers.ts"
import { Effect, type Layer, type Redacted } from "effect"
import { VendorInbox } from "./VendorInbox.ts"
import type { WorkPlace } from "./VendorWork.ts"

/** The expected signer of a call, by its path. */
export type SignedBy =
  | {
      readonly _tag: "Signed"
      /** The scope in which event ids are unique: a connection's id, or `platform`. */
      readonly connection: string
      /** Several during a rotation. */
      readonly secrets: ReadonlyArray<Redacted.Redacted>
      /** How the account's own vendor proves its calls; by the scheme of the route where it is left out. */
      readonly prove?: PixNotices["prove"] | undefined
    }
  /** The connection does not exist. */
  | { readonly _tag: "Nobody" }
  /** The connection exists and has no secret. */
  | { readonly _tag: "NotConfigured" }

/** The secrets of settings that are set: the present one, and the second one during a rotation. */
export type PlatformSecrets = ReadonlyArray<Redacted.Redacted | undefined>

/** Returns the signer of calls about the service's own account at a vendor. */
export const platformSigned = (settings: PlatformSecrets): SignedBy => {
  const secrets = settings.filter((secret) => secret !== undefined)
  return secrets.length === 0 ? { _tag: "NotConfigured" } : { _tag: "Signed", connection: "platform", secrets }
}

interface ProviderWebhook<R1, R2> {
  /** A name like `<vendor>_webhook.take`, for logs and metrics. */
  readonly operation: string
  readonly path: string
  readonly vendor: string
  /** How the vendor signs and writes its calls; as the bridge does unless told otherwise. */
  readonly scheme?: WebhookScheme | undefined
  readonly signedBy: (params: RawRequest["params"]) => Effect.Effect<SignedBy, never, R1>
  /** Returns the owners that work on a call; a call that names nothing of ours is stored, and no owner works on it. */
  readonly work: (event: ProviderEvent, connection: string) => Effect.Effect<ReadonlyArray<WorkPlace>, never, R2>
}

const mostBytes = 1024 * 1024
const signatureHeader = "x-provider-signature"

/**
 * A receiver of a vendor's signed calls: it stores them unchanged, unique on (vendor, connection, event), in a commit
 * of their own before the 200; then the named owners work on them. gaps-3 G "Inbound provider webhooks"
 */
export const providerWebhook = <R1 = never, R2 = never>({
  operation,
  path,
  scheme = bridgeWebhooks,
  signedBy,
  vendor,
  work
}: ProviderWebhook<R1, R2>): Layer.Layer<never, never, RouteTable | VendorInbox | R1 | R2> =>
  Routes.raw<VendorInbox | R1 | R2>({
    operation,
    method: "POST",
    path,
    maxBodyBytes: mostBytes,
    handler: Effect.fnUntraced(function* (request) {
      const by = yield* signedBy(request.params)
      if (by._tag === "NotConfigured") return yield* new ProviderWebhookNotConfigured()
      const body = yield* request.body.bytes(mostBytes)
      const event = scheme.read(body)
      const proven = by._tag === "Nobody" ? undefined : provenBy(by, scheme, request, body, event)
      if (by._tag === "Nobody" || proven === undefined) return yield* new ProviderWebhookSignatureInvalid()
      yield* (yield* VendorInbox).store({
        vendor,
        unique_key: proven.id === undefined ? null : `${by.connection}/${proven.id}`,
        body,
        at: request.now,
        work: yield* work(event, by.connection)
      })
      return reply(request, 200, { received: true })
    })
  })

/** Returns what a call is by its vendor's scheme; undefined unless it is the vendor's. A plain path has no token. */
const provenBy = (
  { prove, secrets }: Extract<SignedBy, { readonly _tag: "Signed" }>,
  scheme: WebhookScheme,
  { headers, now, params, search }: RawRequest,
  body: Uint8Array,
  event: ProviderEvent
): ProvenNotice | undefined => {
  const token = params.token ?? null
  if (prove !== undefined) return prove({ headers, search, token, body, now }, secrets)
  const isSigned = token === null && scheme.isSigned(headers, body, secrets, now)
  return isSigned ? { id: event.id } : undefined
}

/** Reads a vendor's call; a body that is no JSON, or has another form, is an event without content. */
export const readProviderEvent = (body: Uint8Array): ProviderEvent => {
  const json = recordOf(jsonOf({ bytes: body }))
  const { created_at, id, type } = json
  const at = typeof created_at === "string" ? Date.parse(created_at) : Number.NaN
  return {
    id: typeof id === "string" && id !== "" && id.length <= mostIdLength ? id : undefined,
    type: typeof type === "string" ? type : undefined,
    created_at: Number.isNaN(at) ? undefined : at,
    data: recordOf(json.data)
  }
}

/** The webhooks of the bridge. */
export const bridgeWebhooks: WebhookScheme = {
  isSigned: (headers, body, secrets, now) => isTimeSigned(headers[signatureHeader], body, secrets, now),
  read: readProviderEvent
}

/** The longest id of an event. */
const mostIdLength = 255

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {}
