import type { Slices } from "@carteiro/owners/Slices.ts"
import type { MacTexts, Secrets } from "@carteiro/secrets/Secrets.ts"
import { isDigitNumber } from "@carteiro/tables/StoredJson.ts"
import { type JsonStyle, writeInSlices } from "./WriteJson.ts"

/**
 * Returns the RFC 8785 text of parsed JSON: equal for values that differ only in key order, white space, or the
 * spelling of numbers and strings. Cases that the RFC leaves out still get their own text: an unpaired surrogate stays
 * escaped, a number beyond doubles becomes `Infinity`, an integer beyond 2^53 counts as written. Values come from `parseJson`, which limits their depth.
 */
export const canonicalJson = (value: unknown): string => {
  if (typeof value === "string") return JSON.stringify(value)
  if (typeof value === "number") return Number.isFinite(value) ? JSON.stringify(value) : String(value)
  if (typeof value !== "object" || value === null) return String(value)
  if (isDigitNumber(value)) return value.rawJSON
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`
  const object = value as { readonly [key: string]: unknown }
  let text = ""
  for (const key of Object.keys(object).sort()) {
    text += `${text === "" ? "" : ","}${JSON.stringify(key)}:${canonicalJson(object[key])}`
  }
  return `{${text}}`
}

const canonical: JsonStyle = { write: canonicalJson, names: (object) => Object.keys(object).sort() }

/**
 * Returns the fingerprint of a request for its idempotency key: a keyed hash of the concrete path and the canonical body, in
 * base64url, under every master key. `undefined` is a route without a body. gaps-1 B 'What "same body" means', A-IDEM-06
 */
export const fingerprints = (secrets: Secrets["Service"], path: string, body: unknown): MacTexts =>
  secrets.macTexts("fingerprint", body === undefined ? path : `${path}\n${canonicalJson(body)}`)

/** Returns the fingerprints of a large body, written and hashed part by part. */
export function* fingerprintsInSlices(secrets: Secrets["Service"], path: string, body: unknown): Slices<MacTexts> {
  const mac = secrets.openMac("fingerprint")
  mac.add(path)
  if (body !== undefined) {
    mac.add("\n")
    yield* writeInSlices(body, canonical, mac.add)
  }
  return mac.texts()
}
