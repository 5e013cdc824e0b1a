import type { MediaKind } from "@carteiro/schema/messages/content/MediaContent.ts"

const mebibyte = 1_048_576

/** The limits of one kind of file: the base types that it may have, and the most bytes. */
interface KindRule {
  readonly most: number
  readonly types: ReadonlyArray<string>
}

/** gaps-2 F "MIME types and sizes" */
const rules: { readonly [K in MediaKind]: KindRule } = {
  image: { most: 5 * mebibyte, types: ["image/jpeg", "image/png"] },
  audio: { most: 16 * mebibyte, types: ["audio/aac", "audio/amr", "audio/mpeg", "audio/mp4", "audio/ogg"] },
  video: { most: 16 * mebibyte, types: ["video/mp4", "video/3gpp"] },
  sticker: { most: 500 * 1024, types: ["image/webp"] },
  document: {
    most: 100 * mebibyte,
    types: [
      "application/pdf",
      "text/plain",
      "text/csv",
      "application/msword",
      "application/vnd.ms-excel",
      "application/vnd.ms-powerpoint",
      "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
      "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
      "application/vnd.openxmlformats-officedocument.presentationml.presentation"
    ]
  }
}

/** Most bytes of an inbound file, whatever its type. gaps-2 F "MIME types and sizes" */
export const mostInboundBytes = 100 * mebibyte

/**
 * Returns a media type without its parameters, in lower case; empty when the text is not a media type, because it goes
 * into a header.
 */
export const baseType = (mime_type: string): string => {
  const base = (mime_type.split(";", 1)[0] ?? "").trim().toLowerCase()
  return /^[\x20-\x7e]*$/.test(mime_type) && /^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+$/.test(base) ? base : ""
}

/** Returns why a file of that kind, type and size cannot be sent; the size is left out while it is unknown. gaps-2 F */
export const judgeFile = (
  kind: MediaKind,
  mime_type: string,
  byte_length?: number
): "invalid_media_mime_type" | "media_too_large" | undefined => {
  const { most, types } = rules[kind]
  if (!types.includes(baseType(mime_type))) return "invalid_media_mime_type"
  if (byte_length !== undefined && (byte_length < 1 || byte_length > most)) return "media_too_large"
  return undefined
}

/** Returns the most bytes that a file of that kind may have. */
export const mostBytes = (kind: MediaKind): number => rules[kind].most

/** True when a voice note may have that type: Ogg only, because files are not converted. M-MSG-42 */
export const isVoiceType = (mime_type: string): boolean => baseType(mime_type) === "audio/ogg"
