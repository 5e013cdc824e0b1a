import type { BytesReply } from "@carteiro/http-edge/Reply.ts"
import { type CsvCell, type CsvForm, csvText } from "@carteiro/lists/CsvText.ts"

/** Returns rows as a file of comma-separated values (RFC 4180) to download, or in the form of a Brazilian spreadsheet. */
export const csvReply = (
  name: string,
  columns: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<CsvCell>>,
  form: CsvForm = "rfc"
): BytesReply => fileReply(name, Buffer.from(csvText(columns, rows, form)))

/** Returns the bytes of such a file, to download. */
export const fileReply = (name: string, body: Uint8Array): BytesReply => ({
  status: 200,
  body,
  headers: {
    "content-type": "text/csv; charset=utf-8",
    "content-disposition": `attachment; filename="${name}.csv"`,
    "cache-control": "no-store"
  }
})

/** Returns what a member of a resource is in one cell: a text, a number, or JSON. */
export const cellOf = (value: unknown): CsvCell =>
  value === null || value === undefined
    ? null
    : typeof value === "string" || typeof value === "number"
      ? value
      : JSON.stringify(value)
