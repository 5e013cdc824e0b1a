import type { Event } from "../generated/Types.ts"
import { realTiming } from "../timing/Timing.ts"
import { CarteiroSignatureError, type SignatureRefusal } from "../transport/Errors.ts"
import type { Transport } from "../transport/Transport.ts"

/** Headers as `fetch`, Node's HTTP server, a framework or a gateway gives them. */
export type WebhookHeaders =
  | { readonly get: (name: string) => string | null | undefined }
  | Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** Settings of a verification. */
export interface VerifyOptions {
  /** Seconds the timestamp may lie in the past or the future; 300 when left out. A-SIG-12 */
  readonly toleranceSeconds?: number | undefined
  /** Epoch seconds to compare with; the present moment when left out. */
  readonly nowSeconds?: number | undefined
}

/** Signs and verifies webhooks; needs no client and no API key. gaps-1 "SDK verifier" */
export const webhooks = {
  /**
   * Returns the event of a delivery, or throws `CarteiroSignatureError`. `rawBody` are the bytes as received: text that was
   * parsed and written again differs from what was signed. During a rotation pass both secrets. A-SIG-07..12
   */
  async verify(
    rawBody: Uint8Array | ArrayBuffer,
    headers: WebhookHeaders,
    secrets: string | ReadonlyArray<string>,
    options: VerifyOptions = {}
  ): Promise<Event> {
    if (typeof rawBody === "string") throw new TypeError("rawBody must be the received bytes, not text")
    const bytes = rawBody instanceof Uint8Array ? rawBody : new Uint8Array(rawBody)
    const keys = typeof secrets === "string" ? [secrets] : secrets
    // Anybody can sign with an empty secret, such as a variable that is not set.
    if (keys.length === 0 || keys.some((key) => !key)) throw new TypeError("secrets must not be empty")
    const refusal = await refusalOf(bytes, headers, keys, options)
    if (refusal !== undefined) throw new CarteiroSignatureError(refusal)
    try {
      return JSON.parse(new TextDecoder().decode(bytes)) as Event
    } catch {
      throw new CarteiroSignatureError("malformed_body")
    }
  },

  /** Returns the headers of a delivery with these bytes, for tests of a receiver. */
  async sign(
    rawBody: Uint8Array | string,
    secret: string,
    { id = "evt_test", timestampSeconds }: { readonly id?: string; readonly timestampSeconds?: number } = {}
  ): Promise<Record<"svc-webhook-id" | "svc-webhook-timestamp" | "svc-webhook-signature", string>> {
    const timestamp = String(timestampSeconds ?? epochSeconds())
    const bytes = typeof rawBody === "string" ? new TextEncoder().encode(rawBody) : rawBody
    return {
      "svc-webhook-id": id,
      "svc-webhook-timestamp": timestamp,
      "svc-webhook-signature": hex(await macOf(secret, timestamp, bytes))
    }
  }
}

const epochSeconds = (): number => Math.floor(realTiming.now() / 1000)

const refusalOf = async (
  bytes: Uint8Array,
  headers: WebhookHeaders,
  secrets: ReadonlyArray<string>,
  { nowSeconds = epochSeconds(), toleranceSeconds = 300 }: VerifyOptions
): Promise<SignatureRefusal | undefined> => {
  const [id, timestamp, signature] = ["id", "timestamp", "signature"].map((name) =>
    single(headers, `svc-webhook-${name}`)
  )
  if (id === undefined || timestamp === undefined || signature === undefined) return "missing_header"
  if (!/^[0-9]+$/.test(timestamp)) return "malformed_timestamp"
  // Written so that a tolerance or a clock that is not a number refuses.
  if (!(Math.abs(nowSeconds - Number(timestamp)) <= toleranceSeconds)) return "timestamp_outside_tolerance"
  if (!/^[0-9a-f]{64}$/.test(signature)) return "malformed_signature"
  const given = Uint8Array.from(signature.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  let fits = false
  // Every secret is tried, so that time does not tell which one fits.
  for (const secret of secrets) fits = equal(await macOf(secret, timestamp, bytes), given) || fits
  return fits ? undefined : "signature_mismatch"
}

/** HMAC-SHA256 over `<timestamp>.<body>` under the whole secret, its prefix included. A-SIG-09, A-SIG-10 */
const macOf = async (secret: string, timestamp: string, body: Uint8Array): Promise<Uint8Array> => {
  const encoder = new TextEncoder()
  const algorithm = { name: "HMAC", hash: "SHA-256" }
  const key = await globalThis.crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["sign"])
  const prefix = encoder.encode(`${timestamp}.`)
  const signed = new Uint8Array(prefix.length + body.length)
  signed.set(prefix)
  signed.set(body, prefix.length)
  return new Uint8Array(await globalThis.crypto.subtle.sign("HMAC", key, signed))
}

/** Compares every byte, wherever the first difference lies. */
const equal = (left: Uint8Array, right: Uint8Array): boolean => {
  let difference = left.length ^ right.length
  for (let at = 0; at < left.length; at++) difference |= (left[at] ?? 0) ^ (right[at] ?? 0)
  return difference === 0
}

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")

/** Returns the value of a header that is there once, however its name is written. */
const single = (headers: WebhookHeaders, name: string): string | undefined => {
  const values =
    typeof headers.get === "function"
      ? [headers.get(name)]
      : Object.entries(headers).flatMap(([key, value]) => (key.toLowerCase() === name ? (value ?? []) : []))
  const [value] = values
  return values.length === 1 && typeof value === "string" && value !== "" ? value : undefined
}

/** The same functions on a client, as `carteiro.webhooks.verify`. */
export class WebhookSignatures {
  protected readonly transport: Transport
  readonly verify: typeof webhooks.verify = webhooks.verify
  readonly sign: typeof webhooks.sign = webhooks.sign

  constructor(transport: Transport) {
    this.transport = transport
  }
}
