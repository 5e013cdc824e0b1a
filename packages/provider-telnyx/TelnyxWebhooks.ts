import { createPublicKey, type KeyObject, verify } from "node:crypto"
import type { ProviderEvent, WebhookScheme } from "@carteiro/provider/WebhookScheme.ts"
import { jsonOf, memberOf } from "@carteiro/vendor-http/VendorAnswers.ts"
import { Redacted } from "effect"

/** The most seconds between a signature's time and now. */
const mostAgeSeconds = 300

/**
 * The vendor's webhooks: an Ed25519 signature of `<timestamp>|<body>`. The secret is the account's public key, as the vendor's portal shows
 * it: 32 bytes in base64. gaps-3 G "Inbound provider webhooks"
 */
export const telnyxWebhooks: WebhookScheme = {
  isSigned: (headers, body, secrets, now) => {
    const signature = headers["telnyx-signature-ed25519"]
    const timestamp = headers["telnyx-timestamp"]
    if (typeof signature !== "string" || !/^[A-Za-z0-9+/]{86}==$/.test(signature)) return false
    if (typeof timestamp !== "string" || !/^\d{1,12}$/.test(timestamp)) return false
    if (Math.abs(now / 1000 - Number(timestamp)) > mostAgeSeconds) return false
    const signed = Buffer.concat([Buffer.from(`${timestamp}|`), body])
    const bytes = Buffer.from(signature, "base64")
    return secrets.some((secret) => {
      const key = publicKeyOf(Redacted.value(secret))
      return key !== undefined && verify(null, signed, key, bytes)
    })
  },
  expectedSecret: (secret) =>
    publicKeyOf(secret) === undefined ? "the account's public key, 32 bytes in base64" : undefined,
  read: (body) => {
    const event = memberOf(jsonOf({ bytes: body }), "data")
    const payload = memberOf(event, "payload")
    const at = Date.parse(textOf(event, "occurred_at") ?? "")
    const id = textOf(event, "id")
    return {
      id: id === undefined || id.length > mostIdLength ? undefined : id,
      created_at: Number.isNaN(at) ? undefined : at,
      ...contentOf(textOf(event, "event_type"), payload)
    }
  }
}

/** The longest id of an event. */
const mostIdLength = 255

/** Returns an event's type and data in the words that every driver has; a message names its number as the number's id. */
const contentOf = (type: string | undefined, payload: unknown): Pick<ProviderEvent, "type" | "data"> => {
  if (type === "message.received") {
    const to = memberOf(payload, "to")
    const number = textOf(Array.isArray(to) ? to[0] : undefined, "phone_number")
    return { type: "sms.received", data: { number_id: number, to: number, text: textOf(payload, "text") } }
  }
  if (type === "number_order.complete") {
    const data = { id: textOf(payload, "id"), external_id: textOf(payload, "customer_reference") }
    return { type: "order.updated", data }
  }
  return { type, data: {} }
}

const textOf = (json: unknown, name: string): string | undefined => {
  const value = memberOf(json, name)
  return typeof value === "string" && value !== "" ? value : undefined
}

const publicKeyOf = (secret: string): KeyObject | undefined => {
  const bytes = Buffer.from(secret.trim(), "base64")
  if (bytes.length !== 32) return undefined
  try {
    return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: bytes.toString("base64url") }, format: "jwk" })
  } catch {
    return undefined
  }
}
