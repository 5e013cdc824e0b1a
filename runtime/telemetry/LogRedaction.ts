import { isSecretMember } from "@carteiro/schema/conventions/SecretMembers.ts"
import { Redacted as Wrapped } from "effect"
import { isSensitiveKey, redactText, replacement } from "./Redaction.ts"

const maximumDepth = 6
const maximumItems = 100
const maximumText = 16_384

/**
 * Matches a member that names a secret without being one, such as `api_key_id` or `key_prefix`, which may be logged.
 */
const namesOnly = /(?:_id|_ids|_prefix)$/

/** True when a member with this name is never logged, whatever its value. */
export const isSecretKey = (key: string): boolean =>
  (isSensitiveKey(key) && !namesOnly.test(key)) || /master_?key/i.test(key) || isSecretMember(key)

/** Returns the text without credentials, cut when it is very long. */
export const redactedText = (text: string): string =>
  redactText(text.length > maximumText ? `${text.slice(0, maximumText)}…` : text).text

/** Returns a plain copy of a value for a log line: no secrets, no cycles, bounded in depth and length. */
export const redactedValue = (value: unknown, depth = 0): unknown => {
  switch (typeof value) {
    case "string":
      return redactedText(value)
    case "number":
    case "boolean":
    case "undefined":
      return value
    case "object":
      return value === null ? null : redactedObject(value, depth)
    default:
      return redactedText(String(value))
  }
}

const redactedObject = (value: object, depth: number): unknown => {
  if (Wrapped.isRedacted(value)) return replacement
  if (value instanceof Error) return redactedError(value, depth)
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "invalid date" : value.toISOString()
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `${value.byteLength} bytes`
  if (depth >= maximumDepth) return "…"
  if (value instanceof Map) return redactedObject(Object.fromEntries(value), depth)
  if (Array.isArray(value) || value instanceof Set) {
    const items = Array.from(value).slice(0, maximumItems)
    return items.map((item) => redactedValue(item, depth + 1))
  }
  return redactedMembers(value, depth)
}

const redactedMembers = (value: object, depth: number): { readonly [key: string]: unknown } =>
  Object.fromEntries(
    Object.entries(value)
      .slice(0, maximumItems)
      .map(([key, member]) => [redactedText(key), isSecretKey(key) ? replacement : redactedValue(member, depth + 1)])
  )

const redactedError = (error: Error, depth: number): unknown => ({
  type: error.name,
  message: redactedText(error.message),
  ...(error.stack === undefined ? {} : { stack: redactedText(error.stack) }),
  ...(error.cause === undefined || depth >= maximumDepth ? {} : { cause: redactedValue(error.cause, depth + 1) })
})
