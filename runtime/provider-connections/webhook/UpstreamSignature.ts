import { timingSafeEqual } from "node:crypto"
import { hmacSha256Hex } from "@carteiro/secrets/Hmac.ts"
import { Redacted } from "effect"

const signature = /^sha256=([0-9a-f]{64})$/

/**
 * True when a body comes from the platform: `x-hub-signature-256` is `sha256=` and the lower-case hex HMAC-SHA256 of
 * the bytes as received, under one of the app secrets; compared in constant time. gaps-2 E "Inbound upstream webhook"
 */
export const isSigned = (header: unknown, body: Uint8Array, appSecrets: ReadonlyArray<Redacted.Redacted>): boolean => {
  const hex = typeof header === "string" ? signature.exec(header)?.[1] : undefined
  if (hex === undefined) return false
  const given = Buffer.from(hex, "hex")
  // Every secret is tried, so that the time reveals nothing.
  let fits = false
  for (const secret of appSecrets) {
    if (timingSafeEqual(Buffer.from(hmacSha256Hex(Redacted.value(secret), body), "hex"), given)) fits = true
  }
  return fits
}

/**
 * Returns the challenge of a subscription with the correct verify token; undefined for any other. gaps-2 E "Inbound
 * upstream webhook"
 */
export const challengeOf = (search: string, verifyToken: string): string | undefined => {
  const query = new URLSearchParams(search)
  const known = isSame(query.get("hub.verify_token") ?? "", verifyToken)
  return query.get("hub.mode") === "subscribe" && known ? (query.get("hub.challenge") ?? "") : undefined
}

const isSame = (one: string, other: string): boolean => {
  // Digests have equal length, so the time of the comparison reveals nothing.
  const digest = (text: string) => Buffer.from(hmacSha256Hex("compare", text))
  return timingSafeEqual(digest(one), digest(other))
}
