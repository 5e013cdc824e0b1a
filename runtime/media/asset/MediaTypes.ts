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

/** Names under which browsers, systems and servers announce a type that the platform takes, by the type's own name. */
const aliases: Readonly<Record<string, ReadonlyArray<string>>> = {
  "image/jpeg": ["image/jpg", "image/pjpeg", "image/jfif", "image/x-jpeg", "image/x-jpg"],
  "image/png": ["image/x-png"],
  "image/webp": ["image/x-webp"],
  "audio/aac": ["audio/x-aac", "audio/aacp", "audio/x-hx-aac-adts", "audio/vnd.dlna.adts"],
  "audio/amr": ["audio/x-amr", "audio/amr-nb"],
  "audio/mpeg": [
    "audio/mp3",
    "audio/x-mp3",
    "audio/mpg",
    "audio/x-mpeg",
    "audio/x-mpg",
    "audio/mpeg3",
    "audio/x-mpeg-3"
  ],
  "audio/mp4": ["audio/m4a", "audio/x-m4a", "audio/x-mp4"],
  "audio/ogg": ["audio/opus", "audio/x-ogg", "audio/x-opus+ogg", "application/ogg", "application/x-ogg"],
  "video/mp4": ["video/m4v", "video/x-m4v", "video/x-mp4"],
  "video/3gpp": ["video/3gp", "video/x-3gp"],
  "application/pdf": ["application/x-pdf", "application/acrobat", "text/pdf", "text/x-pdf"],
  "text/plain": ["application/txt", "text/x-plain"],
  "text/csv": [
    "text/comma-separated-values",
    "text/x-comma-separated-values",
    "text/x-csv",
    "application/csv",
    "application/x-csv"
  ],
  "application/msword": ["application/doc", "application/vnd.msword", "application/winword", "application/x-msword"],
  "application/vnd.ms-excel": [
    "application/excel",
    "application/msexcel",
    "application/x-excel",
    "application/x-msexcel",
    "application/x-xls",
    "application/xls"
  ],
  "application/vnd.ms-powerpoint": [
    "application/mspowerpoint",
    "application/powerpoint",
    "application/x-mspowerpoint",
    "application/ppt"
  ]
}

const ownNames: ReadonlyMap<string, string> = new Map(
  Object.entries(aliases).flatMap(([type, names]) => names.map((name) => [name, type] as const))
)

/** Returns the type's own name for an alias, with the parameters that it came with; any other type as it is. U-MED-03 */
export const canonicalType = (mime_type: string): string => {
  const own = ownNames.get(baseType(mime_type))
  if (own === undefined) return mime_type
  const semicolon = mime_type.indexOf(";")
  return semicolon < 0 ? own : `${own}${mime_type.slice(semicolon)}`
}

/** Types that senders name when they do not know one. */
const openTypes: ReadonlySet<string> = new Set([
  "application/octet-stream",
  "binary/octet-stream",
  "application/binary",
  "application/x-binary",
  "application/download",
  "application/x-download",
  "application/force-download"
])

/** Types that only name the container of an Office file. */
const containerTypes: ReadonlySet<string> = new Set([
  "application/zip",
  "application/x-zip",
  "application/x-zip-compressed",
  "application/x-cfb",
  "application/x-ole-storage"
])

/** True for a type that says nothing about a file of that kind, so that its bytes and its name decide. U-MED-03 */
export const isOpenType = (mime_type: string, kind: MediaKind | undefined): boolean => {
  const base = baseType(mime_type)
  return openTypes.has(base) || (kind === "document" && containerTypes.has(base))
}

/** Returns the types that a file of that kind may have. */
export const typesOf = (kind: MediaKind): ReadonlyArray<string> => rules[kind].types

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
