import { dayMs } from "@carteiro/schema/conventions/Timestamp.ts"
import { hmacSha256Base64 } from "@carteiro/secrets/Hmac.ts"

/** How long the secret from before a rotation also signs, in milliseconds. gaps-1 J "Secret overlap after rotation" */
export const overlapMs = dayMs

/**
 * The secrets of an endpoint under the Standard Webhooks specification, in plain text. gaps-1 J "Secret overlap after
 * rotation"
 */
export interface StandardSecrets {
  readonly present: string
  /** The secret from before the last rotation; `until` is in epoch milliseconds. */
  readonly previous: { readonly secret: string; readonly until: number } | undefined
}

const prefix = "whsec_"

/** The number of random bytes in a secret; the specification requires 24 to 64. */
export const standardSecretBytes = 32

/** Returns `whsec_` and the padded base64 of those bytes. */
export const newStandardSecret = (bytes: Uint8Array): string => `${prefix}${Buffer.from(bytes).toString("base64")}`

/**
 * Returns the signature of version 1: HMAC-SHA256 of `<id>.<timestamp>.<rawBody>` in base64; the key is the bytes after
 * the secret's prefix. `timestampSeconds` is whole epoch seconds.
 */
export const signStandard = (
  secret: string,
  eventId: string,
  timestampSeconds: number,
  rawBody: string | Uint8Array
): string => {
  const key = Buffer.from(secret.slice(prefix.length), "base64")
  return `v1,${hmacSha256Base64(key, `${eventId}.${timestampSeconds}.`, rawBody)}`
}

/**
 * Returns the Standard Webhooks headers of one attempt at `atMillis` (epoch milliseconds): one signature for each
 * secret that is valid then, newest first. gaps-1 J "Secret overlap after rotation"
 */
export const standardHeaders = (
  { present, previous }: StandardSecrets,
  eventId: string,
  atMillis: number,
  rawBody: string | Uint8Array
) => {
  const timestamp = Math.floor(atMillis / 1000)
  const secrets = previous !== undefined && atMillis < previous.until ? [present, previous.secret] : [present]
  return {
    "webhook-id": eventId,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": secrets.map((secret) => signStandard(secret, eventId, timestamp, rawBody)).join(" ")
  }
}
