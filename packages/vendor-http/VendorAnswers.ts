import { parseWords, storableId } from "@carteiro/provider/words/VendorWords.ts"
import type { VendorResult } from "./VendorCalls.ts"

type Answered = Extract<VendorResult, { readonly _tag: "Answered" }>

/** What an answer comes to that brings nothing: the vendor does not want it, or nobody knows. */
export type NoAnswer =
  | { readonly _tag: "Refused"; readonly code: string }
  | { readonly _tag: "Failed"; readonly retry_after_ms: number | null }

/** Nobody knows, and nothing says when to come again. */
export const failed: NoAnswer = { _tag: "Failed", retry_after_ms: null }

/**
 * Every 4xx but 408 and 429 is certain; a broken call, and any other answer that is no success, leaves it open.
 * vendor-wires "Wires of the vendors that the documents leave open"
 */
export const noAnswer = (result: VendorResult): NoAnswer => {
  if (result._tag === "Broken") return failed
  const { headers, status } = result
  return status >= 400 && status < 500 && status !== 408 && status !== 429
    ? { _tag: "Refused", code: codeOf(memberOf(jsonOf(result), "error")) }
    : { _tag: "Failed", retry_after_ms: pauseOf(headers["retry-after"]) }
}

/** The code of an error as the vendors write it. */
export const codeOf = (error: unknown): string => {
  const code = typeof error === "string" ? error : memberOf(error, "code")
  return typeof code === "string" && code !== "" ? code : "refused"
}

/** Undefined for what is no JSON. */
export const jsonOf = ({ bytes }: Answered): unknown => {
  try {
    return parseWords(Buffer.from(bytes).toString("utf8"))
  } catch {
    return undefined
  }
}

/** A member of what may be a record. */
export const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined

/** The id of what the vendor has begun. */
export const idOf = (json: unknown): string | undefined => storableId(memberOf(json, "id")) ?? undefined

/** Returns whether an answer names another thing than the one that was asked for; one that names none is taken. */
export const isAnothers = (json: unknown, id: string): boolean => (memberOf(json, "id") ?? id) !== id

/** Seconds are the only form the vendors use. */
const pauseOf = (header: string | ReadonlyArray<string> | undefined): number | null =>
  typeof header === "string" && /^\d{1,6}$/.test(header) ? Number(header) * 1000 : null
