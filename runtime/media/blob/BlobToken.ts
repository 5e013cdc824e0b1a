import { timingSafeEqual } from "node:crypto"
import type { Secrets } from "@carteiro/secrets/Secrets.ts"

/** The operation that a capability URL permits. */
export type BlobVerb = "get" | "put"

/** The permission of a capability URL; `expires_at` in epoch milliseconds. gaps-2 F "download-url on other states" */
export interface BlobCapability {
  readonly verb: BlobVerb
  readonly environment_id: string
  readonly asset_id: string
  readonly expires_at: number
}

const purpose = "capability_url"

/** Returns the token of a capability URL: its permission, signed. It is valid until it expires. gaps-2 F */
export const signCapability = (secrets: Secrets["Service"], capability: BlobCapability): string => {
  const claims = claimsOf(capability)
  return `${claims}.${secrets.macText(purpose, claims)}`
}

/**
 * Returns the permission of a token for this verb; undefined when this system did not sign it or when it has expired.
 */
export const readCapability = (
  secrets: Secrets["Service"],
  token: string,
  verb: BlobVerb,
  now: number
): BlobCapability | undefined => {
  if (token.length > 256) return undefined
  const [, claims = "", mac = ""] = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{43})$/.exec(token) ?? []
  if (claims === "" || !secrets.macTexts(purpose, claims).some((expected) => equal(expected, mac))) return undefined
  const [given, expires = "", environment_id = "", asset_id = ""] = Buffer.from(claims, "base64url")
    .toString("utf8")
    .split(" ")
  const expires_at = Number.parseInt(expires, 36)
  return given === verb && now < expires_at ? { verb, environment_id, asset_id, expires_at } : undefined
}

const claimsOf = ({ asset_id, environment_id, expires_at, verb }: BlobCapability): string =>
  Buffer.from([verb, expires_at.toString(36), environment_id, asset_id].join(" ")).toString("base64url")

/** Compares in constant time; both texts have 43 characters. */
const equal = (expected: string, given: string): boolean => timingSafeEqual(Buffer.from(expected), Buffer.from(given))
