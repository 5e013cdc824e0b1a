import { oggOpus, upload as uploadAs } from "../support/Media.ts"

export { pathOfUrl } from "../support/Media.ts"

/** The smallest files that count as their types. */
export const files = {
  png: Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64"
  ),
  jpeg: Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0x00, 0x10, 0x4a, 0x46, 0x49, 0x46, 0x00, 0x01, 0xff, 0xd9]),
  pdf: Buffer.from("%PDF-1.4\n%%EOF\n"),
  ogg: oggOpus,
  text: Buffer.from("linha um\nlinha dois\n")
} as const

/** Returns the body that creates an upload session. */
export const announce = (bytes: Uint8Array, mime_type: string, more: object = {}) => ({
  kind: mime_type.startsWith("image/") ? "image" : mime_type.startsWith("audio/") ? "audio" : "document",
  mime_type,
  byte_length: bytes.length,
  ...more
})

/** Uploads as `support/Media.ts` does, with the kind that goes with the type. */
export const upload = (key: string, bytes: Uint8Array, mime_type: string, more: object = {}) =>
  uploadAs(key, bytes, announce(bytes, mime_type, more))
