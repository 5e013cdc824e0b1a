import { createHash } from "node:crypto"

/** One part of a form: a text, or a file with its name and type. */
export interface FormPart {
  readonly name: string
  readonly value: string
  readonly file?: { readonly name: string; readonly type: string }
}

/** Returns the `multipart/form-data` body of these parts, with a boundary that no part has. */
export const formBody = (parts: ReadonlyArray<FormPart>) => {
  const hash = createHash("sha256")
  for (const { value } of parts) hash.update(value)
  const boundary = `----carteiro-${hash.digest("hex").slice(0, 32)}`
  const lines = parts.flatMap(({ file, name, value }) => [
    `--${boundary}`,
    `Content-Disposition: form-data; name="${name}"${file === undefined ? "" : `; filename="${file.name}"`}`,
    ...(file === undefined ? [] : [`Content-Type: ${file.type}`]),
    "",
    value
  ])
  const bytes = Buffer.from([...lines, `--${boundary}--`, ""].join("\r\n"))
  return { type: `multipart/form-data; boundary=${boundary}`, length: bytes.length, bytes }
}
