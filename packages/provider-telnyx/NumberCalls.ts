import type { NumberCall } from "@carteiro/provider/NumberProvider.ts"
import { storableAnswer } from "@carteiro/provider/VendorWords.ts"
import { memberOf, pauseOf } from "@carteiro/vendor-http/VendorAnswers.ts"
import { BrokenCall, isAnswered } from "@carteiro/vendor-http/VendorFetch.ts"
import { Effect } from "effect"
import type Telnyx from "telnyx"
import type { APIError } from "telnyx"
import type { Client } from "./Client.ts"

type NotDone = Exclude<NumberCall<never>, { readonly _tag: "Done" }>

const unknown: NotDone = { _tag: "Unknown", retry_after_ms: null }

/** Makes a call; a success that `read` cannot read leaves the outcome open. */
export const ask = <A, B>(
  client: Client,
  call: (telnyx: Telnyx, signal: AbortSignal) => PromiseLike<A>,
  read: (answer: A) => B | undefined,
  judge: (error: unknown) => NumberCall<B> = outcomeOf
): Effect.Effect<NumberCall<B>> =>
  Effect.tryPromise({
    try: async (signal): Promise<NumberCall<B>> => {
      const value = storableAnswer(read(await call(await client(), signal)))
      return value === undefined ? unknown : { _tag: "Done", value }
    },
    catch: judge
  }).pipe(Effect.catch((call) => Effect.succeed(call)))

/**
 * Returns the entries of a page; undefined for a success that is none. The client reads an answer without entries as an empty page, which
 * would prove that an order was never placed, or that an account has no numbers.
 */
export const entriesOf = <A>({
  data,
  meta
}: {
  readonly data: ReadonlyArray<A>
  readonly meta: { readonly total_pages?: number }
}): ReadonlyArray<A> | undefined => (Array.isArray(data) && typeof meta?.total_pages === "number" ? data : undefined)

/** Returns the meaning of a call that brought no result: every 4xx except 408, 409 and 429 is certain. */
const outcomeOf = (error: unknown): NotDone => {
  const status = statusOf(error)
  if (status === undefined || status >= 500 || status === 408 || status === 409) return unknown
  if (status === 429)
    return {
      _tag: "Unknown",
      retry_after_ms: pauseOf(isAnswered<APIError>(error) ? error.headers?.get("retry-after") : undefined)
    }
  return { _tag: "Refused", code: codeOf(status) }
}

/**
 * Returns the meaning of an order that brought no result. A call that never began, and one that the vendor counted out, placed no order:
 * they are refused, so that they may be repeated.
 */
export const orderOutcomeOf = (error: unknown): NotDone => {
  const cause = error instanceof Error && !(error instanceof BrokenCall) ? error.cause : error
  if (cause instanceof BrokenCall && !cause.began) return { _tag: "Refused", code: "unreachable" }
  const status = statusOf(error)
  if (status === 429) return { _tag: "Refused", code: "busy" }
  if ((status === 400 || status === 404 || status === 422) && isAboutNumber(error)) {
    return { _tag: "Refused", code: "number_unavailable" }
  }
  return outcomeOf(error)
}

const statusOf = (error: unknown): number | undefined => (isAnswered<APIError>(error) ? error.status : undefined)

const codeOf = (status: number): string => {
  if (status === 401) return "credentials_invalid"
  if (status === 402 || status === 403) return "account_suspended"
  return status === 404 ? "not_found" : "refused"
}

/** True when an error is about the ordered number: someone else has bought it. */
const isAboutNumber = (error: unknown): boolean => {
  const errors = isAnswered<APIError>(error) ? memberOf(error.error, "errors") : undefined
  return (
    Array.isArray(errors) &&
    errors.some((one) => {
      const source = memberOf(one, "source")
      return `${memberOf(source, "pointer")} ${memberOf(source, "parameter")}`.includes("phone_number")
    })
  )
}
