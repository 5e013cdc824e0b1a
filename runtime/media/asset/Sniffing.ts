import { Effect } from "effect"
import { fileTypeFromBuffer } from "file-type"
import { baseType } from "./MediaTypes.ts"

/** The number of leading bytes from which a type is recognised. */
export const sniffedBytes = 4100

const zip = "application/zip"
const compoundFile = "application/x-cfb"

/** Types that the library may report for the leading bytes of a correct file, beside the announced type. */
const lookalikes: Readonly<Record<string, ReadonlyArray<string>>> = {
  "image/png": ["image/apng"],
  "audio/mp4": ["audio/x-m4a", "video/mp4", "video/x-m4v"],
  "audio/ogg": ["application/ogg"],
  "audio/mpeg": ["audio/mp1", "audio/mp2", "audio/mp3"],
  "video/mp4": ["video/x-m4v", "video/quicktime"],
  "video/3gpp": ["video/3gpp2", "video/mp4"],
  "application/msword": [compoundFile],
  "application/vnd.ms-excel": [compoundFile],
  "application/vnd.ms-powerpoint": [compoundFile],
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": [zip],
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": [zip],
  "application/vnd.openxmlformats-officedocument.presentationml.presentation": [zip]
}

/** The first bytes of types that the library recognises only by reading further: offset, then bytes. */
const beginnings: Readonly<Record<string, readonly [at: number, bytes: Buffer]>> = {
  "image/png": [0, Buffer.from("\x89PNG\r\n\x1a\n", "latin1")],
  "audio/mpeg": [0, Buffer.from("ID3")],
  "audio/ogg": [0, Buffer.from("OggS")],
  "audio/mp4": [4, Buffer.from("ftyp")],
  "video/mp4": [4, Buffer.from("ftyp")],
  "video/3gpp": [4, Buffer.from("ftyp")]
}

/** Types without a signature: bytes match when no type is recognised and they hold no byte that text never has. */
const plainTypes: ReadonlySet<string> = new Set(["text/plain", "text/csv"])

/**
 * True when the leading bytes contradict the announced type. An archive is recognised by its first bytes alone and is
 * never opened, so a decompression bomb does no harm. gaps-2 F "Upload and complete"
 */
export const contradicts = (head: Uint8Array, mime_type: string): Effect.Effect<boolean> => {
  const announced = baseType(mime_type)
  const known = archive(head)
  return Effect.map(known === undefined ? sniff(head) : Effect.succeed(known), (found) =>
    plainTypes.has(announced)
      ? found !== undefined || head.includes(0)
      : found === undefined
        ? !begins(head, announced)
        : found !== announced && lookalikes[announced]?.includes(found) !== true
  )
}

const begins = (head: Uint8Array, announced: string): boolean => {
  const [at, bytes] = beginnings[announced] ?? []
  return at !== undefined && bytes?.equals(head.subarray(at, at + bytes.length)) === true
}

// The library throws on a file that is cut off; such a file has no recognised type.
const sniff = (head: Uint8Array): Effect.Effect<string | undefined> =>
  Effect.promise(() =>
    fileTypeFromBuffer(head).then(
      (type) => (type === undefined ? undefined : baseType(type.mime)),
      () => undefined
    )
  )

const starts = (head: Uint8Array, ...bytes: ReadonlyArray<number>) => bytes.every((byte, at) => head[at] === byte)

const archive = (head: Uint8Array): string | undefined => {
  if (starts(head, 0x50, 0x4b, 0x03, 0x04) || starts(head, 0x50, 0x4b, 0x05, 0x06)) return zip
  if (starts(head, 0x1f, 0x8b)) return "application/gzip"
  if (starts(head, 0x42, 0x5a, 0x68)) return "application/x-bzip2"
  if (starts(head, 0xfd, 0x37, 0x7a, 0x58, 0x5a)) return "application/x-xz"
  return starts(head, 0x28, 0xb5, 0x2f, 0xfd) ? "application/zstd" : undefined
}
