import type { Calls, OperatorUrl } from "@carteiro/outbound/Calls.ts"
import type { CardAbsent, CardRefused, CardUnknown } from "@carteiro/provider/payments/CardProvider.ts"
import { parseWords } from "@carteiro/provider/VendorWords.ts"
import type { VendorTimes } from "@carteiro/vendor-http/VendorCalls.ts"
import { loadClient, vendorFetch } from "@carteiro/vendor-http/VendorFetch.ts"
import { Effect, Redacted } from "effect"
import type Stripe from "stripe"

/** Loads the official client; the first call does so where nothing did before. */
export const loadStripe = () => loadClient(() => import("stripe"))

/** The address and the credential of an account at Stripe. */
export interface StripeOptions extends VendorTimes {
  /** `https://api.stripe.com`; an address with a path is not supported. */
  readonly url: OperatorUrl
  readonly apiKey: Redacted.Redacted
}

/** The result of one call. */
export type StripeResult<A> =
  | { readonly _tag: "Body"; readonly body: A }
  /** `intent` is the charge that the refusal is about, where Stripe keeps one. */
  | { readonly _tag: "StripeRefusal"; readonly refusal: CardRefused; readonly intent: unknown }
  | CardAbsent
  | CardUnknown

/** Makes one call by the client. It never fails. */
export type StripeCall = <A extends object>(
  make: (stripe: Stripe) => Promise<Stripe.Response<A>>
) => Effect.Effect<StripeResult<A>>

const unknown: CardUnknown = { _tag: "Unknown" }
const absent: CardAbsent = { _tag: "Absent" }

const totalMs = 15_000
/** How much later than our own deadline the client's is, so that ours decides. In milliseconds. */
const laterMs = 1000

/**
 * Makes calls by the official client. Its sockets are those of our outbound stack, it repeats nothing by itself, it
 * reports nothing about the machine, and its version of the wire is pinned. Decision 0160
 */
export const stripeCalls = (calls: Calls["Service"], { apiKey, url, ...times }: StripeOptions): StripeCall => {
  const { hostname, port, protocol } = new URL(url.target.origin)
  const isTls = protocol === "https:"
  let made: Loaded | undefined
  const client = async (): Promise<Loaded> => {
    if (made !== undefined) return made
    const { default: Client } = await loadStripe()
    const stripe = new Client(Redacted.value(apiKey), {
      apiVersion: "2026-10-28.endive",
      host: hostname,
      port: port === "" ? (isTls ? 443 : 80) : Number(port),
      protocol: isTls ? "https" : "http",
      httpClient: Client.createFetchHttpClient(vendorFetch(calls, url, times)),
      maxNetworkRetries: 0,
      telemetry: false,
      timeout: (times.totalTimeoutMs ?? totalMs) + laterMs
    })
    made = { stripe, isRefusal: (error) => error instanceof Client.errors.StripeError }
    return made
  }
  return (make) =>
    Effect.tryPromise({ try: client, catch: () => unknown }).pipe(
      Effect.flatMap(({ isRefusal, stripe }) =>
        Effect.tryPromise({
          try: () => make(stripe),
          catch: (error) => (isRefusal(error) ? meaningOf(error) : unknown)
        })
      ),
      Effect.map((body) => (isSuccess(body) ? { _tag: "Body" as const, body: storable(body) } : unknown)),
      Effect.catch((meaning) => Effect.succeed(meaning))
    )
}

/** The client once it is loaded, and which errors are its own. */
interface Loaded {
  readonly stripe: Stripe
  readonly isRefusal: (error: unknown) => error is Stripe.errors.StripeError
}

/** Returns a body whose every text a database can store: the client has parsed it as it came. */
const storable = <A extends object>(body: A): A => parseWords(JSON.stringify(body)) as A

/** The client takes any JSON without the member `error` for a success, whatever its status. */
const isSuccess = ({ lastResponse: { statusCode } }: Stripe.Response<object>): boolean =>
  statusCode >= 200 && statusCode < 300

/** Statuses below 500 that say nothing about the effect of a call: it runs, waited, or came too often. */
const uncertain: ReadonlySet<number> = new Set([408, 409, 424, 425, 429])

/** Returns the meaning of what the client throws. Every 4xx is certain but those of `uncertain`. */
const meaningOf = (error: Stripe.errors.StripeError): Exclude<StripeResult<never>, { readonly _tag: "Body" }> => {
  const { statusCode = 0 } = error
  if (statusCode === 404) return absent
  if (statusCode < 400 || statusCode >= 500 || uncertain.has(statusCode) || error.code === "rate_limit") return unknown
  return {
    _tag: "StripeRefusal",
    refusal: { _tag: "Refused", code: codeOf(error), decline_code: declineOf(error) },
    intent: error.payment_intent
  }
}

/** Returns the code of a refusal in the words of the port, or Stripe's own. */
const codeOf = ({ code, rawType, statusCode }: Stripe.errors.StripeError): string => {
  if (statusCode === 401 || statusCode === 403) return "credentials_invalid"
  if (rawType === "idempotency_error") return "idempotency_conflict"
  return code === undefined || code === "" ? "refused" : code
}

const declineOf = ({ code, decline_code, rawType }: Stripe.errors.StripeError): string | null => {
  if (typeof decline_code === "string" && decline_code !== "") return decline_code
  return rawType === "card_error" && code !== undefined ? code : null
}
