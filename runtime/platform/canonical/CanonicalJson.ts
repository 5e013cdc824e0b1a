import type { MacTexts, Secrets } from "../secrets/Secrets.ts"
import { mapInStretches, type Stretches, stretchLength } from "../stretches/Stretches.ts"

/**
 * RFC 8785 text of parsed JSON: equal for values that differ only in key order, white space, or the spelling of numbers
 * and strings. What the RFC leaves out still gets a text of its own: an unpaired surrogate stays escaped, a number beyond
 * doubles becomes `Infinity`. Values come from `parseJson`, which bounds their depth.
 */
export const canonicalJson = (value: unknown): string => {
  if (typeof value === "string") return JSON.stringify(value)
  if (typeof value === "number") return Number.isFinite(value) ? JSON.stringify(value) : String(value)
  if (typeof value !== "object" || value === null) return String(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`
  const object = value as { readonly [key: string]: unknown }
  let text = ""
  for (const key of Object.keys(object).sort()) {
    text += `${text === "" ? "" : ","}${JSON.stringify(key)}:${canonicalJson(object[key])}`
  }
  return `{${text}}`
}

/** The same text of an object, whose own lists are written a stretch of items at a time. */
function* canonicalInStretches(value: unknown): Stretches<string> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return canonicalJson(value)
  const object = value as { readonly [key: string]: unknown }
  const members: Array<string> = []
  for (const key of Object.keys(object).sort()) {
    const member = object[key]
    const text =
      Array.isArray(member) && member.length > stretchLength
        ? `[${(yield* mapInStretches(member, canonicalJson)).join(",")}]`
        : canonicalJson(member)
    members.push(`${JSON.stringify(key)}:${text}`)
    yield undefined
  }
  return `{${members.join(",")}}`
}

/**
 * What "same request" means for an idempotency key: a keyed hash of the concrete path and the canonical body, in
 * base64url, under every master key. `undefined` is a route without a body. gaps-1 B 'What "same body" means', A-IDEM-06
 */
export const fingerprints = (secrets: Secrets["Service"], path: string, body: unknown): MacTexts =>
  fingerprintOf(secrets, path, body === undefined ? undefined : canonicalJson(body))

/** The same of a large body, a stretch at a time. */
export function* fingerprintsInStretches(
  secrets: Secrets["Service"],
  path: string,
  body: unknown
): Stretches<MacTexts> {
  return fingerprintOf(secrets, path, body === undefined ? undefined : yield* canonicalInStretches(body))
}

const fingerprintOf = (secrets: Secrets["Service"], path: string, canonical: string | undefined): MacTexts =>
  secrets.macTexts("fingerprint", canonical === undefined ? path : `${path}\n${canonical}`)
