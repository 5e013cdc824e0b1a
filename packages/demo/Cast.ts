import { createWriteStream, type WriteStream } from "node:fs"

/** A terminal recording in asciicast version 2, which `asciinema play` shows. */
export interface Cast {
  readonly write: (text: string) => void
  readonly close: () => Promise<void>
}

/** Begins a recording of a terminal of that size. */
export const startCast = (file: string, size: { readonly columns: number; readonly rows: number }): Cast => {
  const out: WriteStream = createWriteStream(file)
  const began = performance.now()
  out.write(`${JSON.stringify({ version: 2, width: size.columns, height: size.rows, title: "Carteiro demo" })}\n`)
  return {
    write: (text) => {
      const seconds = Number(((performance.now() - began) / 1000).toFixed(3))
      out.write(`${JSON.stringify([seconds, "o", text])}\n`)
    },
    close: () => new Promise((resolve) => out.end(resolve))
  }
}
