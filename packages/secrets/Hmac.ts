import { createHmac } from "node:crypto"

/** HMAC-SHA256 of the parts one after the other, in lowercase hex; the key is the UTF-8 bytes of the text. */
export const hmacSha256Hex = (key: string, ...parts: ReadonlyArray<string | Uint8Array>): string => {
  const mac = createHmac("sha256", key)
  for (const part of parts) mac.update(part)
  return mac.digest("hex")
}
