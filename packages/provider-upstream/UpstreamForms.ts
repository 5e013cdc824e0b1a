import { createHash } from "node:crypto"
import { Effect, type Scope } from "effect"

/** One part of a form: a text, or a file with its name and type. */
export interface FormPart {
  readonly name: string
  readonly value: string
  readonly file?: FormFile
}

interface FormFile {
  readonly name: string
  readonly type: string
}

/** The last part of a form, whose bytes are read while they are sent, anew for each attempt. */
interface StreamedPart {
  readonly name: string
  readonly file: FormFile
  readonly byte_length: number
  readonly open: Effect.Effect<AsyncIterable<Uint8Array>, never, Scope.Scope>
}

const typeOf = (boundary: string): string => `multipart/form-data; boundary=${boundary}`

/** Returns a name in the form's syntax, without characters that end the header. */
const quoted = (name: string): string => name.replace(/["\r\n]/g, (sign) => encodeURIComponent(sign))

/** Returns the lines before the content of a part. */
const partHead = (boundary: string, name: string, file: FormFile | undefined): ReadonlyArray<string> => [
  `--${boundary}`,
  `Content-Disposition: form-data; name="${name}"${file === undefined ? "" : `; filename="${quoted(file.name)}"`}`,
  ...(file === undefined ? [] : [`Content-Type: ${file.type}`]),
  ""
]

const linesOf = (boundary: string, parts: ReadonlyArray<FormPart>): ReadonlyArray<string> =>
  parts.flatMap(({ file, name, value }) => [...partHead(boundary, name, file), value])

/** Returns the `multipart/form-data` body of these parts, with a boundary that no part has. */
export const formBody = (parts: ReadonlyArray<FormPart>) => {
  const hash = createHash("sha256")
  for (const { value } of parts) hash.update(value)
  const boundary = `----carteiro-${hash.digest("hex").slice(0, 32)}`
  const bytes = Buffer.from([...linesOf(boundary, parts), `--${boundary}--`, ""].join("\r\n"))
  return { type: typeOf(boundary), length: bytes.length, bytes }
}

/** Separates the parts of a form whose bytes are not known before; long enough not to occur in a file by chance. */
const streamedBoundary = "----carteiro-6f1d0c5e8a7b4923b1c4d2e3f5a60718"

/** Returns the body of these parts with a file behind them, whose bytes are read while the body is sent. */
export const streamedForm = (parts: ReadonlyArray<FormPart>, { byte_length, file, name, open }: StreamedPart) => {
  const head = Buffer.from(
    [...linesOf(streamedBoundary, parts), ...partHead(streamedBoundary, name, file), ""].join("\r\n")
  )
  const tail = Buffer.from(`\r\n--${streamedBoundary}--\r\n`)
  return {
    type: typeOf(streamedBoundary),
    length: head.length + byte_length + tail.length,
    open: Effect.map(open, (bytes) => between(head, bytes, tail))
  }
}

async function* between(head: Uint8Array, bytes: AsyncIterable<Uint8Array>, tail: Uint8Array) {
  yield head
  yield* bytes
  yield tail
}
