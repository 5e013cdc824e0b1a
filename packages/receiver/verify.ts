import { createHmac, timingSafeEqual } from "node:crypto"

/** The default tolerance of a timestamp, in seconds into the past or the future. A-SIG-12 */
const defaultToleranceSeconds = 300

/** Headers as Node's HTTP server gives them: lower-case names. */
export type Headers = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** One delivery and the data to verify it with. */
export interface VerifyOptions {
  readonly headers: Headers
  /** The bytes as received: decoded or parsed text may differ from the signed bytes. A-SIG-11 */
  readonly rawBody: Uint8Array
  /** Signing secrets, each the whole string with its `whsec_` prefix; one match is enough. */
  readonly secrets: ReadonlyArray<string>
  readonly toleranceSeconds?: number
  /** Epoch seconds; the present time by default. */
  readonly nowSeconds?: number
}

/** The reason why a delivery must not be trusted. */
export type Refusal =
  | "missing_header"
  | "malformed_timestamp"
  | "timestamp_outside_tolerance"
  | "malformed_signature"
  | "signature_mismatch"

/** A trusted delivery's event id and time, or the reason to refuse it. */
export type Verification =
  | { readonly verified: true; readonly id: string; readonly timestamp: number }
  | { readonly verified: false; readonly reason: Refusal }

/** Returns the signature of a delivery: lowercase hex HMAC-SHA256 over `<timestamp>.<rawBody>`. A-SIG-09, A-SIG-10 */
export const signWebhook = (secret: string, timestamp: string, rawBody: Uint8Array): string =>
  createHmac("sha256", secret).update(`${timestamp}.`).update(rawBody).digest("hex")

/**
 * Verifies one delivery: all three headers, a timestamp of digits inside the tolerance, 64 lowercase hex characters,
 * compared in constant time. Throws a TypeError for a body that is not bytes. A-SIG-07..12
 */
export const verifyWebhook = (options: VerifyOptions): Verification => {
  if (!(options.rawBody instanceof Uint8Array)) throw new TypeError("rawBody must be the received bytes")
  const id = single(options.headers["svc-webhook-id"])
  const timestamp = single(options.headers["svc-webhook-timestamp"])
  const signature = single(options.headers["svc-webhook-signature"])
  if (id === undefined || timestamp === undefined || signature === undefined) return refused("missing_header")

  if (!/^[0-9]+$/.test(timestamp)) return refused("malformed_timestamp")
  const now = options.nowSeconds ?? Math.floor(Date.now() / 1000)
  const offset = Math.abs(now - Number(timestamp))
  // Also refuses when the tolerance or the clock is not a number.
  if (!(offset <= (options.toleranceSeconds ?? defaultToleranceSeconds))) return refused("timestamp_outside_tolerance")

  if (!/^[0-9a-f]{64}$/.test(signature)) return refused("malformed_signature")
  const given = Buffer.from(signature, "hex")
  let fits = false
  for (const secret of options.secrets) {
    const expected = Buffer.from(signWebhook(secret, timestamp, options.rawBody), "hex")
    // Every secret is compared, so that the time does not reveal which one matches.
    fits = timingSafeEqual(expected, given) || fits
  }
  return fits ? { verified: true, id, timestamp: Number(timestamp) } : refused("signature_mismatch")
}

const refused = (reason: Refusal): Verification => ({ verified: false, reason })

const single = (value: string | ReadonlyArray<string> | undefined): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined
