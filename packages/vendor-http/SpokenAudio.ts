import type { SpeechAnswer } from "@carteiro/provider/SpeechProvider.ts"

/** The most bytes of an Ogg page before its first packet: 27 of its header, and 255 of its segment table. */
const mostPageHeader = 282

/**
 * Returns what a vendor spoke under the type that its bytes have. Vendors announce Ogg with Opus as `audio/opus`, `audio/ogg` or plain
 * bytes; audio without the Ogg container is announced as bytes of no known type, which no room sends. M-MSG-42
 */
export const spokenAudio = (audio: Uint8Array, contentType: string | null): SpeechAnswer => ({
  _tag: "Spoken",
  mime_type: isOggOpus(audio) ? "audio/ogg" : otherTypeOf(contentType),
  audio
})

/** True for bytes that begin an Ogg stream whose first packet is the head of Opus. */
const isOggOpus = (audio: Uint8Array): boolean => {
  const head = Buffer.from(audio.buffer, audio.byteOffset, Math.min(audio.length, mostPageHeader + 8))
  return head.subarray(0, 4).toString("latin1") === "OggS" && head.includes("OpusHead")
}

const otherTypeOf = (contentType: string | null): string =>
  contentType === null || /^audio\/(?:ogg|opus)\b/i.test(contentType) ? "application/octet-stream" : contentType
