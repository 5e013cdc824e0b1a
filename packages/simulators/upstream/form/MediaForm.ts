import type { FormPart } from "../../kit/Multipart.ts"
import type { Flaw } from "./Shape.ts"

interface MediaType {
  readonly kind: "image" | "audio" | "video" | "document" | "sticker"
  readonly extensions: ReadonlyArray<string>
}

const office = "application/vnd.openxmlformats-officedocument"

/** The media types that the platform takes, with the endings of their files. */
const types: Readonly<Record<string, MediaType>> = {
  "image/jpeg": { kind: "image", extensions: ["jpg", "jpeg"] },
  "image/png": { kind: "image", extensions: ["png"] },
  "image/webp": { kind: "sticker", extensions: ["webp"] },
  "audio/aac": { kind: "audio", extensions: ["aac"] },
  "audio/mp4": { kind: "audio", extensions: ["m4a", "mp4"] },
  "audio/mpeg": { kind: "audio", extensions: ["mp3"] },
  "audio/amr": { kind: "audio", extensions: ["amr"] },
  "audio/ogg": { kind: "audio", extensions: ["ogg", "opus", "oga"] },
  "video/mp4": { kind: "video", extensions: ["mp4"] },
  "video/3gpp": { kind: "video", extensions: ["3gp", "3gpp"] },
  "text/plain": { kind: "document", extensions: ["txt", "csv"] },
  "application/pdf": { kind: "document", extensions: ["pdf"] },
  "application/msword": { kind: "document", extensions: ["doc"] },
  "application/vnd.ms-excel": { kind: "document", extensions: ["xls"] },
  "application/vnd.ms-powerpoint": { kind: "document", extensions: ["ppt"] },
  [`${office}.wordprocessingml.document`]: { kind: "document", extensions: ["docx"] },
  [`${office}.spreadsheetml.sheet`]: { kind: "document", extensions: ["xlsx"] },
  [`${office}.presentationml.presentation`]: { kind: "document", extensions: ["pptx"] }
}

const kibibyte = 1024
const mebibyte = 1024 * kibibyte

/** The most bytes of a file, by its kind; a sticker that stands still may have fewer than one that moves. */
const most = {
  image: 5 * mebibyte,
  audio: 16 * mebibyte,
  video: 16 * mebibyte,
  document: 100 * mebibyte,
  sticker: 100 * kibibyte
} as const
const mostMoving = 500 * kibibyte

/** True for a WebP whose extended header says that it is animated. */
const moves = (bytes: Buffer): boolean =>
  bytes.subarray(12, 16).toString("latin1") === "VP8X" && ((bytes[20] ?? 0) & 0x02) !== 0

const boundOf = ({ kind }: MediaType, bytes: Buffer): number =>
  kind === "sticker" && moves(bytes) ? mostMoving : most[kind]

const plain = (type: string | null): string => (type ?? "").split(";")[0]?.trim().toLowerCase() ?? ""

const ending = (filename: string | null): string => /\.([A-Za-z0-9]+)$/.exec(filename ?? "")?.[1]?.toLowerCase() ?? ""

/**
 * Returns what is wrong with an upload. The platform tells the type of a file by the ending of its name: a name without
 * a fitting one counts as `application/octet-stream`. U-SND-02
 */
export const uploadFlaw = ({ bytes, filename, type }: FormPart): Flaw | undefined => {
  const media = types[plain(type)]
  if (media === undefined || !media.extensions.includes(ending(filename))) {
    const received = media === undefined ? plain(type) || "application/octet-stream" : "application/octet-stream"
    const expected = Object.keys(types).join(", ")
    return {
      code: 100,
      details: `Param file must be a file with one of the following types: ${expected}. Received file of type '${received}'.`
    }
  }
  const bound = boundOf(media, bytes)
  if (bytes.length === 0) return { code: 131053, details: "the file is empty" }
  return bytes.length <= bound ? undefined : { code: 131053, details: `the file is larger than ${bound} bytes` }
}

/** True when a file of this type may be sent as a message of this type; any file may be a document. */
export const fits = (mimeType: string, messageType: string): boolean =>
  messageType === "document" || types[plain(mimeType)]?.kind === messageType
