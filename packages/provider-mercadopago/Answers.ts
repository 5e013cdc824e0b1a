import { storableId } from "@carteiro/provider/VendorWords.ts"
import { jsonOf, memberOf } from "@carteiro/vendor-http/VendorAnswers.ts"
import type { VendorResult } from "@carteiro/vendor-http/VendorCalls.ts"
import type { NothingBrought } from "@carteiro/vendor-http/VendorJson.ts"

export const unknown = { _tag: "Unknown" } as const
export const absent = { _tag: "Absent" } as const

/**
 * Statuses of 4xx that say nothing about a call: it was too slow or too much, an earlier one with its key runs or differs,
 * its key is locked, or a part of the vendor failed.
 */
const openStatuses = new Set([408, 409, 423, 424, 425, 429])

/** Returns what a successful answer holds, or the meaning of any other: a 404 is absence, other 4xx mostly a refusal. */
export const readAnswer = <A>(result: VendorResult, read: (json: unknown) => A | undefined): A | NothingBrought => {
  if (result._tag === "Broken") return unknown
  const { status } = result
  if (status >= 200 && status < 300) return read(jsonOf(result)) ?? unknown
  if (status === 404) return absent
  return status >= 400 && status < 500 && !openStatuses.has(status)
    ? { _tag: "Refused", code: refusalCode(jsonOf(result)) }
    : unknown
}

/** Returns the code of a refusal: that of its first cause, else its name. */
const refusalCode = (json: unknown): string => {
  const cause = memberOf(json, "cause")
  const code = memberOf(Array.isArray(cause) ? cause[0] : cause, "code")
  const known = typeof code === "number" ? String(code) : storableId(code)
  return known ?? storableId(memberOf(json, "error")) ?? "refused"
}

/** Returns an id that the vendor writes as a number or as a text. */
export const idText = (value: unknown): string | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) ? String(value) : (storableId(value) ?? undefined)
