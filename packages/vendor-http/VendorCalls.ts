import type { IncomingHttpHeaders } from "node:http"
import { Calls, type OperatorUrl, type TenantUrl } from "@carteiro/outbound/Calls.ts"
import { Effect } from "effect"

/** The address and time limits of a vendor. vendor-wires "Wires of the vendors that the documents leave open" */
export interface VendorOptions extends VendorTimes {
  readonly url: OperatorUrl
}

/** The longest time for a connection, and for the whole call, in milliseconds; 3 and 15 seconds by default. */
export interface VendorTimes {
  readonly connectTimeoutMs?: number
  readonly totalTimeoutMs?: number
}

/** One call. */
export interface VendorRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** A path below the base URL, or a whole URL that `own` returned. */
  readonly at: string | OperatorUrl
  /** Undefined where the URL itself is the credential. */
  readonly key: string | undefined
  readonly body?: { readonly type: string; readonly bytes: Uint8Array | string }
  /** This service's id of the thing to make. */
  readonly idempotencyKey?: string
  /** Headers of this vendor alone. */
  readonly headers?: Readonly<Record<string, string>>
}

/** The result of a call. A broken call may have arrived: only a look-up by this service's id tells. */
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
/**
 * The most bytes of a response that are read: more than any audio that may be sent, so that a cut response is
 * recognised as too long.
 */
const mostBytes = 32 * 1024 * 1024
/** The most bytes of a response that are read from a tenant's own URL: JSON about one thing or a page of them. */
const mostTenantBytes = 1024 * 1024

/** Returns the limits of a call to a vendor: those that are given, else the usual ones. */
export const vendorLimits = ({
  connectTimeoutMs = connectMs,
  maxBytes = mostBytes,
  totalTimeoutMs = totalMs
}: VendorTimes & { readonly maxBytes?: number }) => ({ connectTimeoutMs, totalTimeoutMs, maxBytes })

/** Makes the calls to a vendor at its operator's base URL. */
export const makeVendorCalls = ({ url, ...times }: VendorOptions): Effect.Effect<VendorCalls, never, Calls> =>
  Effect.map(Calls, (calls) => ({
    call: ({ at, ...request }) => callAt(calls, typeof at === "string" ? url.below(at) : at, request, times),
    own: (named) => url.named(named)
  }))

/** Makes the calls to a vendor's account at a tenant's own URL: no URL of a response is followed. */
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
  { body, headers, idempotencyKey, key, method }: Omit<VendorRequest, "at">,
  bounds: VendorTimes & { readonly maxBytes?: number }
): Effect.Effect<VendorResult> =>
  calls.call({
    method,
    url,
    headers: {
      accept: "application/json, audio/ogg",
      ...(key === undefined ? undefined : { authorization: `Bearer ${key}` }),
      ...(idempotencyKey === undefined ? undefined : { "idempotency-key": idempotencyKey }),
      ...(body === undefined ? undefined : { "content-type": body.type }),
      ...headers
    },
    body: body?.bytes ?? null,
    limits: vendorLimits(bounds)
  })
