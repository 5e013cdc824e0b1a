/** One part of a form. */
export interface FormPart {
  readonly name: string
  readonly filename: string | null
  readonly type: string | null
  readonly bytes: Buffer
}

/** Returns the parts of a `multipart/form-data` body; empty for any other body. */
export const formParts = (contentType: string | undefined, body: Buffer): ReadonlyArray<FormPart> => {
  const boundary = /boundary="?([^";]+)"?/.exec(contentType ?? "")?.[1]
  if (boundary === undefined) return []
  const mark = Buffer.from(`--${boundary}`)
  const parts: Array<FormPart> = []
  for (let at = body.indexOf(mark); at >= 0; ) {
    const next = body.indexOf(mark, at + mark.length)
    if (next < 0) break
    const part = body.subarray(at + mark.length + 2, next - 2)
    const end = part.indexOf("\r\n\r\n")
    if (end >= 0) {
      const head = part.subarray(0, end).toString("utf8")
      parts.push({
        name: / name="([^"]*)"/.exec(head)?.[1] ?? "",
        filename: / filename="([^"]*)"/.exec(head)?.[1] ?? null,
        type: /^content-type: *(.+)$/im.exec(head)?.[1]?.trim() ?? null,
        bytes: part.subarray(end + 4)
      })
    }
    at = next
  }
  return parts
}
