import { codeOf, jsonOf, memberOf } from "./VendorAnswers.ts"
import type { VendorCalls, VendorRequest, VendorResult } from "./VendorCalls.ts"

/** What an answer comes to that brings nothing: certain refusal, certain absence, or nobody knows. */
export type NothingBrought =
  | { readonly _tag: "Refused"; readonly code: string }
  | { readonly _tag: "Absent" }
  | { readonly _tag: "Unknown" }

/** Nobody knows. */
const unknown = { _tag: "Unknown" } as const

/** A call that sends JSON, or nothing, to a vendor. */
export const callJson = (
  calls: Pick<VendorCalls, "call">,
  { json, ...request }: Omit<VendorRequest, "body"> & { readonly json?: object }
) =>
  calls.call(
    json === undefined ? request : { ...request, body: { type: "application/json", bytes: JSON.stringify(json) } }
  )

/**
 * What a success brings, read by `read`, or what an answer comes to that is none: a 404 says that there is nothing, every
 * other 4xx but 408 and 429 is a certain refusal. vendor-wires "Wires of the vendors that the documents leave open"
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
 * Returns what a call brings that makes a thing: there is none that could be absent, so a 404 is a refusal. A 409 speaks of
 * an earlier call under our id: only a look-up says what became of that one.
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
 * What a look-up by our id brings: of a list the thing that is ours, and an empty list says that there is none. What the
 * vendor names instead is not ours and says nothing about ours.
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

/** A member that is a text with something in it. */
export const textOf = (json: unknown, name: string): string | null => {
  const text = memberOf(json, name)
  return typeof text === "string" && text !== "" ? text : null
}

/** A member that is a whole number, not below zero. */
const wholeOf = (json: unknown, name: string): number | null => {
  const value = memberOf(json, name)
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null
}

/**
 * Returns an amount in centavos, null where the vendor tells none, and undefined for one that is no whole number: a vendor that
 * writes `"4500"` or `45.5` has told an amount, and none that can be compared with ours.
 */
export const centavosOf = (json: unknown, name: string): number | null | undefined =>
  (memberOf(json, name) ?? null) === null ? null : (wholeOf(json, name) ?? undefined)

/** The first millisecond whose year has five digits. */
const endOfYears = 253_402_300_800_000

/** A member that is an instant since 1970, ISO 8601, in epoch milliseconds; null for what no time stamp of ours can show. */
export const instantOf = (json: unknown, name: string): number | null => {
  const text = textOf(json, name)
  const at = text === null ? Number.NaN : Date.parse(text)
  return at >= 0 && at < endOfYears ? at : null
}

/** A member that is the address of a page; null for anything else, such as a script. */
export const pageOf = (json: unknown, name: string): string | null => {
  const text = textOf(json, name)
  const protocol = text === null || text.length > mostUrlLength ? undefined : URL.parse(text)?.protocol
  return protocol === "https:" || protocol === "http:" ? text : null
}

const mostUrlLength = 2048
