import { createHmac } from "node:crypto"

/** Returns HMAC-SHA256 of the concatenated parts, in lowercase hex; the key is the UTF-8 bytes of the text. */
export const hmacSha256Hex = (key: string, ...parts: ReadonlyArray<string | Uint8Array>): string =>
  macOf(key, parts).digest("hex")

/** Returns HMAC-SHA256 of the concatenated parts, in padded base64. */
export const hmacSha256Base64 = (key: Uint8Array, ...parts: ReadonlyArray<string | Uint8Array>): string =>
  macOf(key, parts).digest("base64")

const macOf = (key: string | Uint8Array, parts: ReadonlyArray<string | Uint8Array>) => {
  const mac = createHmac("sha256", key)
  for (const part of parts) mac.update(part)
  return mac
}
