import { createHmac, createSecretKey } from "node:crypto"

/** Returns HMAC-SHA256 of the concatenated parts, in lowercase hex; the key is the UTF-8 bytes of the text. */
export const hmacSha256Hex = (key: string, ...parts: ReadonlyArray<string | Uint8Array>): string =>
  macOf(key, parts).digest("hex")

/** Returns HMAC-SHA256 of the concatenated parts, in padded base64. */
export const hmacSha256Base64 = (key: Uint8Array, ...parts: ReadonlyArray<string | Uint8Array>): string =>
  macOf(key, parts).digest("base64")

// Node.js finds out that a key is no key object by two errors that it throws and catches, each with its stack: that costs
// more than the signature.
const macOf = (key: string | Uint8Array, parts: ReadonlyArray<string | Uint8Array>) => {
  const mac = createHmac("sha256", typeof key === "string" ? createSecretKey(key, "utf8") : createSecretKey(key))
  for (const part of parts) mac.update(part)
  return mac
}
