import type { BytesReply } from "@carteiro/http-edge/Reply.ts"

/**
 * Returns rows as a file of comma-separated values (RFC 4180) to download. A cell that a spreadsheet would run as a formula
 * gets an apostrophe in front.
 */
export const csvReply = (
  name: string,
  columns: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string | number | null>>
): BytesReply => ({
  status: 200,
  body: Buffer.from([columns, ...rows].map((row) => `${row.map(cell).join(",")}\r\n`).join("")),
  headers: {
    "content-type": "text/csv; charset=utf-8",
    "content-disposition": `attachment; filename="${name}.csv"`,
    "cache-control": "no-store"
  }
})

/** Returns what a member of a resource is in one cell: a text, a number, or JSON. */
export const cellOf = (value: unknown): string | number | null =>
  value === null || value === undefined
    ? null
    : typeof value === "string" || typeof value === "number"
      ? value
      : JSON.stringify(value)

const cell = (value: string | number | null): string => {
  const text = String(value ?? "")
  const safe = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
