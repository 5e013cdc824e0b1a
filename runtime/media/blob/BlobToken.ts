import { timingSafeEqual } from "node:crypto"
import type { Secrets } from "@carteiro/secrets/Secrets.ts"

/** What a capability URL lets its bearer do. */
export type BlobVerb = "get" | "put"

/** What a capability URL is good for; `expires_at` in epoch milliseconds. gaps-2 F "download-url on other states" */
export interface BlobCapability {
  readonly verb: BlobVerb
  readonly environment_id: string
  readonly asset_id: string
  readonly expires_at: number
}

const purpose = "capability_url"

/** The token of a capability URL: what it is good for, signed; usable until it expires. gaps-2 F */
export const signCapability = (secrets: Secrets["Service"], capability: BlobCapability): string => {
  const claims = claimsOf(capability)
  return `${claims}.${secrets.macText(purpose, claims)}`
}

/** What a token lets its bearer do now, for this verb; undefined for anything that was not signed here or is past its time. */
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

/** In the same time whatever differs; both are 43 characters. */
const equal = (expected: string, given: string): boolean => timingSafeEqual(Buffer.from(expected), Buffer.from(given))
