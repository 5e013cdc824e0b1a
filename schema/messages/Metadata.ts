import { Schema } from "effect"
import { codePoints } from "../conventions/Text.ts"

/** Limits of the free map that a caller may attach. gaps-2 A "Unknown body fields" */
const metadataLimits = { keys: 50, keyLength: 64, bytes: 16_384 } as const

const encoder = new TextEncoder()

const problem = (map: { readonly [key: string]: unknown }): string | undefined => {
  const keys = Object.keys(map)
  if (keys.length > metadataLimits.keys) return `at most ${metadataLimits.keys} keys`
  for (const key of keys) {
    if (key === "" || codePoints(key, metadataLimits.keyLength) > metadataLimits.keyLength)
      return `keys of 1 to ${metadataLimits.keyLength} characters`
  }
  const written = JSON.stringify(map)
  // A UTF-16 unit is at most three bytes of UTF-8, so short maps need no second pass.
  if (written.length * 3 <= metadataLimits.bytes) return undefined
  return encoder.encode(written).length <= metadataLimits.bytes
    ? undefined
    : `at most ${metadataLimits.bytes} bytes of JSON`
}

/** A free map: at most 50 keys of 1 to 64 characters, 16 KiB serialized as JSON. M-MSG-20, gaps-2 A "Unknown body fields" */
export const Metadata = Schema.Record(Schema.String, Schema.Unknown)
  .annotate({
    description:
      "Your own data, kept with the message and returned in its events: at most 50 keys of 1 to 64 characters, 16 KiB as JSON.",
    examples: [{ order: "42" }]
  })
  .check(Schema.makeFilter(problem, { expected: "a map of at most 50 keys and 16 KiB" }))
export type Metadata = typeof Metadata.Type
