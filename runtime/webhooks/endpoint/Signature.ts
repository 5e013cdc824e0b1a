import type { SignatureHeaders, SignaturePreview } from "@carteiro/schema/webhooks/WebhookEvent.ts"
import { hmacSha256Hex } from "@carteiro/secrets/Hmac.ts"
import { type StandardSecrets, standardHeaders } from "./StandardSignature.ts"

/**
 * Returns the HMAC-SHA256 of `<timestamp>.<rawBody>` in lowercase hex; the key is the UTF-8 bytes of the whole secret,
 * prefix included. `timestampSeconds` is whole epoch seconds. A-SIG-10, gaps-1 J "Signing secret"
 */
export const sign = (secret: string, timestampSeconds: number, rawBody: string | Uint8Array): string =>
  hmacSha256Hex(secret, `${timestampSeconds}.`, rawBody)

/**
 * Returns the signature headers of one attempt at `atMillis` (epoch milliseconds). A-SIG-07..09, gaps-1 K "Raw body and
 * timestamp"
 */
export const signatureHeaders = (
  secret: string,
  eventId: string,
  atMillis: number,
  rawBody: string | Uint8Array
): SignatureHeaders => {
  const timestamp = Math.floor(atMillis / 1000)
  return {
    "svc-webhook-id": eventId,
    "svc-webhook-timestamp": String(timestamp),
    "svc-webhook-signature": sign(secret, timestamp, rawBody)
  }
}

/** Returns all headers of one attempt that is made at `atMillis` (epoch milliseconds). A-SIG-05..09 */
export const deliveryHeaders = (
  { signing, standard }: { readonly signing: string; readonly standard: StandardSecrets | undefined },
  eventId: string,
  atMillis: number,
  rawBody: string
) => ({
  "content-type": "application/json",
  "user-agent": "svc-webhooks/1",
  ...signatureHeaders(signing, eventId, atMillis, rawBody),
  ...(standard === undefined ? {} : standardHeaders(standard, eventId, atMillis, rawBody))
})

/** Returns the headers that a listener forwards unchanged to a local receiver. A-LSN-19, A-LSN-20, gaps-1 L "signature_preview shape" */
export const signaturePreview = (
  secret: string,
  eventId: string,
  atMillis: number,
  rawBody: string
): SignaturePreview => {
  const headers = signatureHeaders(secret, eventId, atMillis, rawBody)
  return {
    raw_body: rawBody,
    timestamp: headers["svc-webhook-timestamp"],
    signature: headers["svc-webhook-signature"],
    headers
  }
}

/** The number of random bytes in a signing secret. gaps-1 J "Signing secret" */
export const signingSecretBytes = 32

/** Returns `whsec_` and 43 base64url characters of those bytes. gaps-1 J "Signing secret" */
export const newSigningSecret = (bytes: Uint8Array): string => `whsec_${Buffer.from(bytes).toString("base64url")}`
