import type { MediaKind } from "@carteiro/schema/messages/content/MediaContent.ts"

const mebibyte = 1_048_576

/** What files of one kind may be: base types and the most bytes. */
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

/** A media type without its parameters, in lower case; empty for a text that is none and could stand in no header. */
export const baseType = (mime_type: string): string => {
  const base = (mime_type.split(";", 1)[0] ?? "").trim().toLowerCase()
  return /^[\x20-\x7e]*$/.test(mime_type) && /^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+$/.test(base) ? base : ""
}

/** Why a file of that kind, type and size cannot be sent; the size is left out where it is not known yet. gaps-2 F */
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

/** Most bytes of a file of that kind. */
export const mostBytes = (kind: MediaKind): number => rules[kind].most

/** A voice note must be Ogg where its type is known; nothing is converted. M-MSG-42 */
export const isVoiceType = (mime_type: string): boolean => baseType(mime_type) === "audio/ogg"
