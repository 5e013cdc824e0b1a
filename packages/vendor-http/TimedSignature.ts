import { createHmac, timingSafeEqual } from "node:crypto"
import { Redacted } from "effect"

/** The most seconds between a signature's time and now. */
const mostAgeSeconds = 300
/** The longest header, in characters; a vendor's header is never longer. */
const mostLength = 4096

/**
 * True when a header `t=<epoch seconds>,v1=<hex>` (several `v1` while a secret rotates) signs these bytes under one of
 * the secrets, at most 300 seconds from now (epoch milliseconds); compared in constant time. gaps-3 G "Inbound provider
 * webhooks"
 */
export const isTimeSigned = (
  header: unknown,
  body: Uint8Array,
  secrets: ReadonlyArray<Redacted.Redacted>,
  now: number
): boolean => {
  if (typeof header !== "string" || header.length > mostLength) return false
  const parts = header.split(",").map((part) => part.trim())
  const [t, ...more] = parts.flatMap((part) => (part.startsWith("t=") ? [part.slice(2)] : []))
  if (t === undefined || more.length > 0 || !/^\d{1,12}$/.test(t)) return false
  if (Math.abs(now / 1000 - Number(t)) > mostAgeSeconds) return false
  const given = parts.flatMap((part) => (/^v1=[0-9a-f]{64}$/.test(part) ? [Buffer.from(part.slice(3), "hex")] : []))
  const expected = secrets.map((secret) =>
    createHmac("sha256", Redacted.value(secret)).update(`${t}.`).update(body).digest()
  )
  // Every pair is compared, so that the time reveals nothing.
  let fits = false
  for (const one of expected) for (const other of given) if (timingSafeEqual(one, other)) fits = true
  return fits
}
