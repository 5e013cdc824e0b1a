import type { MediaKind } from "@carteiro/schema/messages/content/MediaContent.ts"
import { Effect } from "effect"
import { fileTypeFromBuffer } from "file-type"
import { baseType, isOpenType, typesOf } from "./MediaTypes.ts"
import { isTaggedAac } from "./TaggedSound.ts"
import { beginsWith, isText, withoutMargin } from "./TextBytes.ts"

/** The number of leading bytes from which a type is recognised. */
export const sniffedBytes = 4100

/** A file whose leading bytes are judged. Kind and name help where the announced type says nothing. */
export interface JudgedFile {
  readonly mime_type: string
  readonly kind?: MediaKind
  readonly filename?: string | null
}

/** The type of a file, and whether its leading bytes contradict it. */
interface JudgedType {
  readonly mime_type: string
  readonly contradicted: boolean
}

const zip = "application/zip"
const compoundFile = "application/x-cfb"
const office = "application/vnd.openxmlformats-officedocument"
const wordFile = `${office}.wordprocessingml.document`
const sheetFile = `${office}.spreadsheetml.sheet`
const slidesFile = `${office}.presentationml.presentation`

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
  // A file with a password is a compound file that holds the encrypted archive.
  [wordFile]: [zip, compoundFile],
  [sheetFile]: [zip, compoundFile],
  [slidesFile]: [zip, compoundFile]
}

const boxed = [4, Buffer.from("ftyp")] as const

/** The first bytes of types that the library recognises only by reading further: offset, then bytes. */
const beginnings: Readonly<Record<string, readonly [at: number, bytes: Buffer]>> = {
  "image/png": [0, Buffer.from("\x89PNG\r\n\x1a\n", "latin1")],
  "audio/mpeg": [0, Buffer.from("ID3")],
  "audio/ogg": [0, Buffer.from("OggS")],
  "audio/mp4": boxed,
  "video/mp4": boxed,
  "video/3gpp": boxed
}

/** Types without a signature: bytes match when they are text. U-MED-04 */
const plainTypes: ReadonlySet<string> = new Set(["text/plain", "text/csv"])

/** Types of programs that open text of several forms under them: HTML and tables saved as `.xls`, RTF as `.doc`. */
const takesText: ReadonlySet<string> = new Set(["application/msword", "application/vnd.ms-excel"])

/** Types by the ending of a file's name, for a file whose announced type says nothing. */
const byEnding: Readonly<Record<string, string>> = {
  csv: "text/csv",
  doc: "application/msword",
  docx: wordFile,
  ppt: "application/vnd.ms-powerpoint",
  pptx: slidesFile,
  xls: "application/vnd.ms-excel",
  xlsx: sheetFile
}

/**
 * Returns the type of a file and whether its leading bytes contradict it. An announced type stays, except an open one,
 * for which bytes and name decide. An archive is recognised by its first bytes alone and is never opened, so a
 * decompression bomb does no harm. U-MED-03, gaps-2 F "Upload and complete"
 */
export const judgeBytes = (head: Uint8Array, file: JudgedFile): Effect.Effect<JudgedType> =>
  Effect.map(recognised(head), (found) => {
    const mime_type = isOpenType(file.mime_type, file.kind)
      ? (typeBehind(head, found, file) ?? file.mime_type)
      : file.mime_type
    return { mime_type, contradicted: !suits(head, found, baseType(mime_type)) }
  })

/** True when the bytes may be a file of that type. */
const suits = (head: Uint8Array, found: string | undefined, type: string): boolean => {
  if (plainTypes.has(type)) return isText(head)
  if (found === type || (found !== undefined && lookalikes[type]?.includes(found) === true)) return true
  if (takesText.has(type) && isText(head)) return true
  // The library takes any sound behind a long tag for MP3.
  if (type === "audio/aac" && isTaggedAac(head)) return true
  if (type === "application/pdf") return beginsWith(withoutMargin(head), "%PDF-")
  return found === undefined && begins(head, type)
}

/** Returns the type of the kind that bytes and name show; undefined when they show none. */
const typeBehind = (
  head: Uint8Array,
  found: string | undefined,
  { filename, kind }: JudgedFile
): string | undefined => {
  if (kind === undefined) return undefined
  const types = typesOf(kind)
  const ending = /\.([A-Za-z0-9]+)$/.exec(filename ?? "")?.[1]?.toLowerCase() ?? ""
  const named = byEnding[ending]
  if (named !== undefined && types.includes(named) && suits(head, found, named)) return named
  if (found === zip) return types.find((type) => type === officeIn(head))
  if (found === compoundFile) return undefined
  return types.find((type) => type === found) ?? types.find((type) => suits(head, found, type) && !takesText.has(type))
}

/** Returns the Office type that the names of an archive's first entries show. */
const officeIn = (head: Uint8Array): string | undefined => {
  const names = Buffer.from(head).toString("latin1")
  if (names.includes("word/")) return wordFile
  if (names.includes("xl/")) return sheetFile
  return names.includes("ppt/") ? slidesFile : undefined
}

const begins = (head: Uint8Array, type: string): boolean => {
  const [at, bytes] = beginnings[type] ?? []
  return at !== undefined && bytes?.equals(head.subarray(at, at + bytes.length)) === true
}

const recognised = (head: Uint8Array): Effect.Effect<string | undefined> => {
  const known = archive(head)
  return known === undefined ? sniff(head) : Effect.succeed(known)
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
