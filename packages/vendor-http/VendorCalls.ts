import type { IncomingHttpHeaders } from "node:http"
import { Calls, type OperatorUrl, type TenantUrl } from "@carteiro/outbound/Calls.ts"
import { Effect } from "effect"

/** How a vendor is reached. vendor-wires "Wires of the vendors that the documents leave open" */
export interface VendorOptions extends VendorTimes {
  readonly url: OperatorUrl
}

/** Milliseconds for a connection, and for the whole call; 3 and 15 seconds unless given. */
export interface VendorTimes {
  readonly connectTimeoutMs?: number
  readonly totalTimeoutMs?: number
}

/** One call. */
export interface VendorRequest {
  readonly method: "GET" | "POST" | "DELETE"
  /** A path below the base URL, or a whole URL that `own` returned. */
  readonly at: string | OperatorUrl
  /** Undefined where the URL itself is the credential. */
  readonly key: string | undefined
  readonly body?: { readonly type: string; readonly bytes: Uint8Array | string }
  /** Our id of what is made. */
  readonly idempotencyKey?: string
}

/** How a call went. A broken one may have arrived: only our id says at the vendor whether it did. */
export type VendorResult =
  | {
      readonly _tag: "Answered"
      readonly status: number
      readonly headers: IncomingHttpHeaders
      readonly bytes: Uint8Array
    }
  /** `began` is false only when it is certain that not one byte of the request was written. */
  | { readonly _tag: "Broken"; readonly began: boolean }

/** Calls to one vendor. */
export interface VendorCalls {
  readonly call: (request: VendorRequest) => Effect.Effect<VendorResult>
  /** Returns a URL that the vendor names on its own host; undefined for any other. */
  readonly own: (url: unknown) => OperatorUrl | undefined
}

const connectMs = 3000
const totalMs = 15_000
/** Bytes of an answer that are read: more than any audio that may be sent, so that one cut here is seen to be too long. */
const mostBytes = 32 * 1024 * 1024
/** Bytes of an answer that are read from a tenant's own URL: JSON about one thing or a page of them. */
const mostTenantBytes = 1024 * 1024

/** Opens the way to a vendor at its operator's base URL. */
export const makeVendorCalls = ({ url, ...times }: VendorOptions): Effect.Effect<VendorCalls, never, Calls> =>
  Effect.map(Calls, (calls) => ({
    call: ({ at, ...request }) => callAt(calls, typeof at === "string" ? url.below(at) : at, request, times),
    own: (named) => url.named(named)
  }))

/** Calls to a vendor's account that a tenant reaches at a URL of its own: nothing an answer names is followed. */
export const tenantCalls = (
  calls: Calls["Service"],
  url: TenantUrl,
  times: VendorTimes
): Pick<VendorCalls, "call"> => ({
  call: ({ at, ...request }) =>
    typeof at === "string"
      ? callAt(calls, url.below(at), request, { ...times, maxBytes: mostTenantBytes })
      : Effect.succeed<VendorResult>({ _tag: "Broken", began: false })
})

const callAt = (
  calls: Calls["Service"],
  url: OperatorUrl | TenantUrl,
  { body, idempotencyKey, key, method }: Omit<VendorRequest, "at">,
  {
    connectTimeoutMs = connectMs,
    maxBytes = mostBytes,
    totalTimeoutMs = totalMs
  }: VendorTimes & {
    readonly maxBytes?: number
  }
): Effect.Effect<VendorResult> =>
  calls.call({
    method,
    url,
    headers: {
      accept: "application/json, audio/ogg",
      ...(key === undefined ? undefined : { authorization: `Bearer ${key}` }),
      ...(idempotencyKey === undefined ? undefined : { "idempotency-key": idempotencyKey }),
      ...(body === undefined ? undefined : { "content-type": body.type })
    },
    body: body?.bytes ?? null,
    limits: { connectTimeoutMs, totalTimeoutMs, maxBytes }
  })
