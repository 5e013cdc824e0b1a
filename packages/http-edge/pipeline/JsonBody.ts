import type { Slices } from "@carteiro/owners/Slices.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { Result } from "effect"
import { httpException } from "../decoding/HttpException.ts"
import { mostNames, mostValues } from "../json/JsonShape.ts"
import { findMalformed, type JsonRefusal, parseInSlices, parseJson } from "../json/JsonText.ts"

/** The parsed JSON of a body. */
export interface ParsedBody {
  readonly value: unknown
}

/** Returns the parsed JSON of a body, or the refusal. A-ERR-22 */
export const readJson = (bytes: Uint8Array): ParsedBody | ApiError => judgeJson(bytes, parseJson(bytes))

/** Returns the parsed JSON of a large body, parsed part by part, or the refusal. */
export function* readJsonInSlices(bytes: Buffer): Slices<ParsedBody | ApiError> {
  return judgeJson(bytes, yield* parseInSlices(bytes))
}

const judgeJson = (bytes: Uint8Array, parsed: Result.Result<unknown, JsonRefusal>): ParsedBody | ApiError => {
  if (parsed._tag === "Success") return { value: parsed.success }
  const place = parsed.failure === "malformed" ? findMalformed(bytes) : undefined
  return httpException(
    400,
    place === undefined
      ? sentences[parsed.failure]
      : `The request body is not valid JSON at line ${place.line}, column ${place.column}.`
  )
}

/**
 * Returns the refusal of a body whose headers do not declare plain JSON. gaps-1 A "Media type, encoding, malformed
 * JSON"
 */
export const refusedMediaType = (
  contentType: string | undefined,
  contentEncoding: string | undefined
): ApiError | undefined => {
  if (contentEncoding !== undefined && contentEncoding.trim().toLowerCase() !== "identity") {
    return httpException(415, "Content-Encoding must be absent or identity.")
  }
  if (contentType === "application/json") return undefined
  if (contentType !== undefined && isJson(contentType)) return undefined
  return httpException(415, "Content-Type must be application/json in UTF-8.")
}

const isJson = (contentType: string): boolean => {
  const [type = "", ...parameters] = contentType.split(";")
  if (type.trim().toLowerCase() !== "application/json") return false
  return parameters.every((parameter) => {
    const [name = "", value = ""] = parameter.split("=", 2)
    if (name.trim().toLowerCase() !== "charset") return true
    return /^"?utf-8"?$/i.test(value.trim())
  })
}

const sentences: { readonly [reason in JsonRefusal]: string } = {
  invalid_utf8: "The request body is not valid UTF-8.",
  malformed: "The request body is not valid JSON.",
  too_deep: "The request body nests deeper than 32 levels.",
  too_many: `The request body has more than ${mostValues} values or ${mostNames} different names.`
}
