import { codeOf, jsonOf, memberOf } from "./VendorAnswers.ts"
import type { VendorCalls, VendorRequest, VendorResult } from "./VendorCalls.ts"

/** The meaning of a response without a result: certain refusal, certain absence, or an unknown outcome. */
export type NothingBrought =
  | { readonly _tag: "Refused"; readonly code: string }
  | { readonly _tag: "Absent" }
  | { readonly _tag: "Unknown" }

/** The outcome is unknown. */
const unknown = { _tag: "Unknown" } as const

/** Makes a call that sends JSON, or no body, to a vendor. */
export const callJson = (
  calls: Pick<VendorCalls, "call">,
  { json, ...request }: Omit<VendorRequest, "body"> & { readonly json?: object }
) =>
  calls.call(
    json === undefined ? request : { ...request, body: { type: "application/json", bytes: JSON.stringify(json) } }
  )

/**
 * Returns the result of a success, read by `read`, or the meaning of any other response: a 404 is absence, every other
 * 4xx except 408 and 429 a certain refusal. vendor-wires "Wires of the vendors that the documents leave open"
 */
export const broughtBy = <A>(result: VendorResult, read: (json: unknown) => A | undefined): A | NothingBrought => {
  if (result._tag === "Broken") return unknown
  const { status } = result
  if (status >= 200 && status < 300) return read(jsonOf(result)) ?? unknown
  if (status === 404) return { _tag: "Absent" }
  const isCertain = status >= 400 && status < 500 && status !== 408 && status !== 429
  return isCertain ? { _tag: "Refused", code: codeOf(memberOf(jsonOf(result), "error")) } : unknown
}

/**
 * Returns the result of a call that makes a thing. Such a thing cannot be absent, so a 404 is a refusal. A 409 is about
 * an earlier call under this id: only a look-up tells its outcome.
 */
export const madeBy = <A>(
  result: VendorResult,
  read: (json: unknown) => A | undefined
): A | Exclude<NothingBrought, { readonly _tag: "Absent" }> => {
  if (result._tag === "Answered" && result.status === 409) return unknown
  const brought = broughtBy(result, (json) => {
    const thing = read(json)
    return thing === undefined ? undefined : { thing }
  })
  if ("thing" in brought) return brought.thing
  return brought._tag === "Absent" ? { _tag: "Refused", code: "not_found" } : brought
}

/**
 * Returns the result of a look-up by this service's id: of a list the thing with that id, and an empty list means
 * absence. A thing with another id says nothing about the one looked up.
 */
export const foundBy = <A>(
  result: VendorResult,
  externalId: string,
  read: (json: unknown) => A | undefined
): A | NothingBrought =>
  broughtBy<A | NothingBrought>(result, (json) => {
    const data = Array.isArray(json) ? json : memberOf(json, "data")
    const found: ReadonlyArray<unknown> = Array.isArray(data) ? data : [json]
    if (found.length === 0) return { _tag: "Absent" }
    const own = found.find((one) => memberOf(one, "external_id") === externalId)
    return own === undefined ? undefined : read(own)
  })

/** Returns a member that is a non-empty text. */
export const textOf = (json: unknown, name: string): string | null => {
  const text = memberOf(json, name)
  return typeof text === "string" && text !== "" ? text : null
}

/** Returns a member that is a whole number of at least zero. */
const wholeOf = (json: unknown, name: string): number | null => {
  const value = memberOf(json, name)
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null
}

/**
 * Returns an amount in centavos; null if the vendor gives none, and undefined for one that is not a whole number: a
 * vendor that writes `"4500"` or `45.5` has given an amount that cannot be compared.
 */
export const centavosOf = (json: unknown, name: string): number | null | undefined =>
  (memberOf(json, name) ?? null) === null ? null : (wholeOf(json, name) ?? undefined)

/** The first millisecond whose year has five digits. */
const endOfYears = 253_402_300_800_000

/**
 * Returns a member that is an instant since 1970, ISO 8601, in epoch milliseconds; null for an instant that no
 * timestamp of this service can show.
 */
export const instantOf = (json: unknown, name: string): number | null => {
  const text = textOf(json, name)
  const at = text === null ? Number.NaN : Date.parse(text)
  return at >= 0 && at < endOfYears ? at : null
}

/** Returns a member that is the address of a page; null for any other value, such as a script. */
export const pageOf = (json: unknown, name: string): string | null => {
  const text = textOf(json, name)
  const protocol = text === null || text.length > mostUrlLength ? undefined : URL.parse(text)?.protocol
  return protocol === "https:" || protocol === "http:" ? text : null
}

const mostUrlLength = 2048
