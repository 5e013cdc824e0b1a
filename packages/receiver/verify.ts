import { createHmac, timingSafeEqual } from "node:crypto"

/** Seconds a timestamp may lie in the past or the future unless told otherwise. A-SIG-12 */
const defaultToleranceSeconds = 300

/** Headers as Node's HTTP server gives them: lower-case names. */
export type Headers = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** One delivery and what it is to be verified against. */
export interface VerifyOptions {
  readonly headers: Headers
  /** The bytes as received: text that was decoded or parsed may differ from what was signed. A-SIG-11 */
  readonly rawBody: Uint8Array
  /** Signing secrets, each the whole string with its `whsec_` prefix; one that fits is enough. */
  readonly secrets: ReadonlyArray<string>
  readonly toleranceSeconds?: number
  /** Epoch seconds; the present moment unless given. */
  readonly nowSeconds?: number
}

/** Why a delivery is not to be trusted. */
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

/** The signature of a delivery: lowercase hex HMAC-SHA256 over `<timestamp>.<rawBody>`. A-SIG-09, A-SIG-10 */
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
  // Written so that a tolerance or a clock that is not a number refuses.
  if (!(offset <= (options.toleranceSeconds ?? defaultToleranceSeconds))) return refused("timestamp_outside_tolerance")

  if (!/^[0-9a-f]{64}$/.test(signature)) return refused("malformed_signature")
  const given = Buffer.from(signature, "hex")
  let fits = false
  for (const secret of options.secrets) {
    const expected = Buffer.from(signWebhook(secret, timestamp, options.rawBody), "hex")
    // Every secret is tried, so that time does not tell which one fits.
    fits = timingSafeEqual(expected, given) || fits
  }
  return fits ? { verified: true, id, timestamp: Number(timestamp) } : refused("signature_mismatch")
}

const refused = (reason: Refusal): Verification => ({ verified: false, reason })

const single = (value: string | ReadonlyArray<string> | undefined): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined
