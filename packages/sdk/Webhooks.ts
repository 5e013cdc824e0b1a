import type { Event } from "./generated/Types.ts"
import { likelyMistake, listOf, receivedBytes, refuseNoHeaders } from "./ReceiverMistakes.ts"
import { realTiming } from "./Timing.ts"
import { CarteiroSignatureError, type SignatureRefusal } from "./transport/Errors.ts"
import { parseExact } from "./transport/ExactJson.ts"
import type { Transport } from "./transport/Transport.ts"

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

/** Settings of a signature that is made for a test. */
export interface SignOptions {
  /** The event's id; `evt_test` when left out. */
  readonly id?: string
  /** Epoch seconds; the present moment when left out. */
  readonly timestampSeconds?: number
}

/** Signs and verifies webhooks; needs no client and no API key. gaps-1 "SDK verifier" */
export const webhooks = {
  /**
   * Returns the event of a delivery, or throws `CarteiroSignatureError`. `rawBody` are the bytes as received: text that was
   * parsed and written again differs from what was signed. A delivery carries the API's own headers and those of Standard
   * Webhooks: it passes when one of the secrets, a `signing_secret` or a `standard_webhooks_secret`, made the signature of
   * either set. During a rotation pass both secrets. A-SIG-07..12
   */
  async verify(
    rawBody: Uint8Array | ArrayBuffer,
    headers: WebhookHeaders,
    secrets: string | ReadonlyArray<string>,
    options: VerifyOptions = {}
  ): Promise<Event> {
    const bytes = receivedBytes(rawBody)
    const keys = listOf(secrets)
    if (bytes.length === 0)
      throw new CarteiroSignatureError("missing_body", "the body is empty: something read it before verify")
    refuseNoHeaders(headers)
    const refusal = await refusalOf(bytes, headers, keys, options)
    if (refusal !== undefined) throw new CarteiroSignatureError(refusal, likelyMistake(refusal, keys))
    try {
      return parseExact(new TextDecoder().decode(bytes)) as Event
    } catch {
      throw new CarteiroSignatureError("malformed_body")
    }
  },

  /** Returns the API's own headers of a delivery with these bytes, for tests of a receiver. */
  async sign(
    rawBody: Uint8Array | string,
    secret: string,
    { id = "evt_test", timestampSeconds = epochSeconds() }: SignOptions = {}
  ): Promise<Record<"svc-webhook-id" | "svc-webhook-timestamp" | "svc-webhook-signature", string>> {
    const signed = { id, timestamp: String(timestampSeconds), bytes: bytesOf(rawBody) }
    return {
      "svc-webhook-id": id,
      "svc-webhook-timestamp": signed.timestamp,
      "svc-webhook-signature": await contract.sign(secret, signed)
    }
  },

  /**
   * Returns the Standard Webhooks headers of a delivery with these bytes, for tests of a receiver. `secrets` have the form
   * of `standard_webhooks_secret`; with several there is one signature for each, as after a rotation.
   */
  async signStandard(
    rawBody: Uint8Array | string,
    secrets: string | ReadonlyArray<string>,
    { id = "evt_test", timestampSeconds = epochSeconds() }: SignOptions = {}
  ): Promise<Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string>> {
    const signed = { id, timestamp: String(timestampSeconds), bytes: bytesOf(rawBody) }
    const signatures = await Promise.all(listOf(secrets).map((secret) => standard.sign(secret, signed)))
    if (signatures.includes(""))
      throw new TypeError("a Standard Webhooks secret is whsec_ and base64 of 24 bytes or more")
    return {
      "webhook-id": id,
      "webhook-timestamp": signed.timestamp,
      "webhook-signature": signatures.join(" ")
    }
  }
}

const epochSeconds = (): number => Math.floor(realTiming.now() / 1000)

const bytesOf = (rawBody: Uint8Array | string): Uint8Array =>
  typeof rawBody === "string" ? encoder.encode(rawBody) : rawBody

const encoder = new TextEncoder()

/** Returns why neither set of headers verifies; undefined when one does. */
const refusalOf = async (
  bytes: Uint8Array,
  headers: WebhookHeaders,
  secrets: ReadonlyArray<string>,
  options: VerifyOptions
): Promise<SignatureRefusal | undefined> => {
  const refusals = await Promise.all(
    [contract, standard].map((set) => refusalOfSet(set, bytes, headers, secrets, options))
  )
  return refusals.includes(undefined)
    ? undefined
    : (refusals.find((refusal) => refusal !== "missing_header") ?? "missing_header")
}

const refusalOfSet = async (
  set: SignatureSet,
  bytes: Uint8Array,
  headers: WebhookHeaders,
  secrets: ReadonlyArray<string>,
  { nowSeconds = epochSeconds(), toleranceSeconds = 300 }: VerifyOptions
): Promise<SignatureRefusal | undefined> => {
  const [id, timestamp, signature] = ["id", "timestamp", "signature"].map((name) =>
    single(headers, `${set.prefix}-${name}`)
  )
  if (id === undefined || timestamp === undefined || signature === undefined) return "missing_header"
  if (!/^[0-9]+$/.test(timestamp)) return "malformed_timestamp"
  // Written so that a tolerance or a clock that is not a number refuses.
  if (!(Math.abs(nowSeconds - Number(timestamp)) <= toleranceSeconds)) return "timestamp_outside_tolerance"
  const given = set.signaturesOf(signature)
  if (given.length === 0) return "malformed_signature"
  let fits = false
  // Every secret is tried on every signature, so that time does not tell which one fits.
  for (const secret of secrets) {
    const expected = await set.sign(secret, { id, timestamp, bytes })
    for (const each of given) fits = equal(encoder.encode(expected), encoder.encode(each)) || fits
  }
  return fits ? undefined : "signature_mismatch"
}

interface Signed {
  readonly id: string
  readonly timestamp: string
  readonly bytes: Uint8Array
}

/** One set of signature headers. */
interface SignatureSet {
  readonly prefix: string
  /** Returns the well-formed signatures of a header. */
  readonly signaturesOf: (header: string) => ReadonlyArray<string>
  /** Returns the signature under a secret; empty when the secret has not the form that the set asks for. */
  readonly sign: (secret: string, signed: Signed) => Promise<string>
}

/** HMAC-SHA256 over `<timestamp>.<body>` in hex under the whole secret, its prefix included. A-SIG-09, A-SIG-10 */
const contract: SignatureSet = {
  prefix: "svc-webhook",
  signaturesOf: (header) => (/^[0-9a-f]{64}$/.test(header) ? [header] : []),
  sign: async (secret, { bytes, timestamp }) => hex(await macOf(encoder.encode(secret), `${timestamp}.`, bytes))
}

/** HMAC-SHA256 over `<id>.<timestamp>.<body>` in base64 under the bytes behind the prefix: Standard Webhooks, version 1. */
const standard: SignatureSet = {
  prefix: "webhook",
  signaturesOf: (header) => header.split(" ").filter((signature) => /^v1,[A-Za-z0-9+/]{43}=$/.test(signature)),
  sign: async (secret, { bytes, id, timestamp }) => {
    const [, base64 = ""] =
      /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/.exec(secret) ?? []
    const key = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
    if (key.length < 24) return ""
    return `v1,${btoa(String.fromCharCode(...(await macOf(key, `${id}.${timestamp}.`, bytes))))}`
  }
}

const macOf = async (secret: Uint8Array<ArrayBuffer>, before: string, body: Uint8Array): Promise<Uint8Array> => {
  const algorithm = { name: "HMAC", hash: "SHA-256" }
  const key = await globalThis.crypto.subtle.importKey("raw", secret, algorithm, false, ["sign"])
  const prefix = encoder.encode(before)
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

/** The functions of `webhooks` on a client, as `carteiro.webhooks.verify`. */
export class WebhookSignatures {
  protected readonly transport: Transport
  readonly verify: typeof webhooks.verify = webhooks.verify
  readonly sign: typeof webhooks.sign = webhooks.sign
  readonly signStandard: typeof webhooks.signStandard = webhooks.signStandard

  constructor(transport: Transport) {
    this.transport = transport
  }
}
