import type { Calls, OperatorUrl } from "@carteiro/outbound/Calls.ts"
import { Effect } from "effect"
import { type VendorTimes, vendorLimits } from "./VendorCalls.ts"

/** Why a call of an official client has no answer. */
export class BrokenCall extends Error {
  override readonly name = "BrokenCall"
  /** False only when it is certain that not one byte of the request was written. */
  readonly began: boolean

  constructor(began: boolean) {
    super(began ? "The call broke after it began." : "The call was not dialled.")
    this.began = began
  }
}

/** The longest that loading a client from the disk may take, in milliseconds. */
const loadMs = 10_000

/**
 * Loads the official client of a vendor, which a node does at its first call to that vendor: the clients are a quarter of all modules.
 * Rejects with a `BrokenCall` that did not begin where there is none in time.
 */
export const loadClient = <A>(load: () => Promise<A>): Promise<A> =>
  Effect.runPromise(
    Effect.tryPromise({ try: load, catch: () => new BrokenCall(false) }).pipe(
      Effect.timeoutOrElse({ duration: loadMs, orElse: () => Effect.fail(new BrokenCall(false)) })
    )
  )

/**
 * True for the error of a generated client about an answer of its vendor, which has the status. `E` is the client's own error: the client
 * is loaded by the call that failed, or not at all, so that its class is not at hand where errors are read.
 */
export const isAnswered = <E extends Error = Error>(error: unknown): error is E & { readonly status: number } =>
  error instanceof Error && "status" in error && typeof error.status === "number"

/** Statuses whose answers have no body. */
const withoutBody = new Set([101, 204, 205, 304])

/**
 * Returns a `fetch` for the official client of a vendor. Every call is dialled by the outbound stack, to the vendor's own host only; no
 * redirect is followed, and an answer is bounded in time and bytes. Rejects with a `BrokenCall` where there is no whole answer.
 * Issue "Cards, Pix, numbers and speech", "Drivers"
 */
export const vendorFetch = (calls: Calls["Service"], url: OperatorUrl, times: VendorTimes = {}): typeof fetch => {
  const limits = vendorLimits(times)
  return async (input, init) => {
    const request = new Request(input, init)
    const target = url.named(request.url)
    const method = methodOf(request.method)
    if (target === undefined || method === undefined) throw new BrokenCall(false)
    const body = request.body === null ? null : new Uint8Array(await request.arrayBuffer())
    const result = await Effect.runPromise(
      calls.call({ method, url: target, headers: Object.fromEntries(request.headers), body, limits }),
      { signal: request.signal }
    )
    if (result._tag === "Broken") throw new BrokenCall(result.began)
    if (result.isCut) throw new BrokenCall(true)
    const bytes = withoutBody.has(result.status) ? null : new Uint8Array(result.bytes)
    return new Response(bytes, { status: result.status, headers: headersOf(result.headers) })
  }
}

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const

const methodOf = (method: string) => methods.find((one) => one === method)

const headersOf = (headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>): Headers => {
  const all = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    for (const one of typeof value === "string" ? [value] : (value ?? [])) all.append(name, one)
  }
  return all
}

/** Headers by which an official client tells about this machine, each left out: no vendor needs them. */
export const withoutTelemetry: Readonly<Record<string, null>> = Object.fromEntries(
  ["Lang", "Package-Version", "OS", "Arch", "Runtime", "Runtime-Version", "Retry-Count", "Timeout"].map((name) => [
    `X-Stainless-${name}`,
    null
  ])
)
