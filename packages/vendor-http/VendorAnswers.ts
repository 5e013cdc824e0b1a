import { parseWords, storableId } from "@carteiro/provider/VendorWords.ts"
import type { VendorResult } from "./VendorCalls.ts"

type VendorAnswer = Extract<VendorResult, { readonly _tag: "Answered" }>

/** The meaning of a response without a result: the vendor refused, or the outcome is unknown. */
export type NoAnswer =
  | { readonly _tag: "Refused"; readonly code: string }
  | { readonly _tag: "Failed"; readonly retry_after_ms: number | null }

/** The outcome is unknown, and no pause is given. */
export const failed: NoAnswer = { _tag: "Failed", retry_after_ms: null }

/**
 * Returns the meaning of a response that is not a success. Every 4xx except 408 and 429 is certain; a broken call and
 * any other status leave the outcome open. vendor-wires "Wires of the vendors that the documents leave open"
 */
export const noAnswer = (result: VendorResult): NoAnswer => {
  if (result._tag === "Broken") return failed
  const { headers, status } = result
  return status >= 400 && status < 500 && status !== 408 && status !== 429
    ? { _tag: "Refused", code: codeOf(memberOf(jsonOf(result), "error")) }
    : { _tag: "Failed", retry_after_ms: pauseOf(headers["retry-after"]) }
}

/** Returns the code of an error in the vendors' format. */
export const codeOf = (error: unknown): string => {
  const code = typeof error === "string" ? error : memberOf(error, "code")
  return typeof code === "string" && code !== "" ? code : "refused"
}

/** Returns the parsed JSON of a response or a received call; undefined for other bodies. */
export const jsonOf = ({ bytes }: Pick<VendorAnswer, "bytes">): unknown => {
  try {
    return parseWords(Buffer.from(bytes).toString("utf8"))
  } catch {
    return undefined
  }
}

/** Returns a member of a value that may be a record. */
export const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined

/** Returns the id of the thing that the vendor began to make. */
export const idOf = (json: unknown): string | undefined => storableId(memberOf(json, "id")) ?? undefined

/** True when a response names another thing than the requested one; a response that names none is accepted. */
export const isAnothers = (json: unknown, id: string): boolean => (memberOf(json, "id") ?? id) !== id

/** Returns the pause of a `Retry-After` header in milliseconds. The vendors only use seconds. */
export const pauseOf = (header: string | ReadonlyArray<string> | null | undefined): number | null =>
  typeof header === "string" && /^\d{1,6}$/.test(header) ? Number(header) * 1000 : null
