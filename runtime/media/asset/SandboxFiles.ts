import type { MediaKind } from "@carteiro/schema/messages/content/MediaContent.ts"

/** A small, complete file. */
export interface SandboxFile {
  readonly mime_type: string
  readonly filename: string
  /** Returns new bytes on every call, because a store keeps the buffer that it receives. */
  readonly bytes: () => Uint8Array
}

const file = (mime_type: string, filename: string, ...base64: ReadonlyArray<string>): SandboxFile => ({
  mime_type,
  filename,
  bytes: () => Buffer.from(base64.join(""), "base64")
})

/** The file that represents a customer's file of each kind in a sandbox. gaps-2 J "Inbound simulation shapes" */
export const sandboxFiles: { readonly [K in MediaKind]: SandboxFile } = {
  image: file(
    "image/png",
    "image.png",
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
  ),
  audio: file(
    "audio/ogg",
    "audio.ogg",
    "T2dnUwACAAAAAAAAAAABAAAAAAAAAByf9dkBE09wdXNIZWFkAQE4AYC7AAAAAABPZ2dTAAAAAAAAAAAAAAEAAAABAAAAKNIhkwEY",
    "T3B1c1RhZ3MIAAAAY2FydGVpcm8AAAAAT2dnUwAEuLwAAAAAAAABAAAAAgAAAFpjohIyAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMD",
    "AwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwP4//74//74//74//74//74//74//74//74//74//74//74//74//74//74//74//74",
    "//74//74//74//74//74//74//74//74//74//74//74//74//74//74//74//74//74//74//74//74//74//74//74//74//74",
    "//74//74//74//74//74//74//74//74//4="
  ),
  video: file("video/mp4", "video.mp4", "AAAAGGZ0eXBpc29tAAACAGlzb21tcDQyAAAACGZyZWUAAAAIbWRhdA=="),
  document: file(
    "application/pdf",
    "document.pdf",
    "JVBERi0xLjQKMSAwIG9iajw8L1R5cGUvQ2F0YWxvZy9QYWdlcyAyIDAgUj4+ZW5kb2JqCjIgMCBvYmo8PC9UeXBlL1BhZ2VzL0tp",
    "ZHNbMyAwIFJdL0NvdW50IDE+PmVuZG9iagozIDAgb2JqPDwvVHlwZS9QYWdlL1BhcmVudCAyIDAgUi9NZWRpYUJveFswIDAgNzIg",
    "NzJdPj5lbmRvYmoKdHJhaWxlcjw8L1Jvb3QgMSAwIFI+PgolJUVPRgo="
  ),
  sticker: file("image/webp", "sticker.webp", "UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==")
}

/** One second of silence, which represents rendered speech in a sandbox. gaps-2 F "TTS" */
export const sandboxClip: SandboxFile = { ...sandboxFiles.audio, filename: "speech.ogg" }
