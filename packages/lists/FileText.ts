/** Stands for what cannot be read; a list that holds it is refused. */
export const unreadable = "\ufffd"

/** What spreadsheets write: UTF-8, UTF-16 with or without a byte order mark, or windows-1252. */
export const encodings = ["utf-8", "utf-16le", "utf-16be", "windows-1252"] as const

export type Encoding = (typeof encodings)[number]

/**
 * Returns the text of a file, without its byte order mark. What no encoding explains is `unreadable`. Undefined for a
 * workbook, which is no text.
 */
export const fileText = (bytes: Uint8Array): string | undefined => {
  if (isWorkbook(bytes)) return undefined
  const encoding = encodingOf(bytes)
  const text = encoding === "windows-1252" ? windows1252(bytes) : new TextDecoder(encoding).decode(bytes)
  return text.replace(/^\ufeff/, "")
}

const startsWith = (bytes: Uint8Array, ...start: ReadonlyArray<number>): boolean =>
  start.every((byte, index) => bytes[index] === byte)

/** A zip archive or a compound file, as `.xlsx`, `.ods` and `.xls` are. */
const isWorkbook = (bytes: Uint8Array): boolean =>
  startsWith(bytes, 0x50, 0x4b, 0x03, 0x04) || startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0)

/** Returns the encoding that explains the bytes of a file. */
export const encodingOf = (bytes: Uint8Array): Encoding => {
  if (startsWith(bytes, 0xef, 0xbb, 0xbf)) return "utf-8"
  if (startsWith(bytes, 0xff, 0xfe)) return "utf-16le"
  if (startsWith(bytes, 0xfe, 0xff)) return "utf-16be"
  const wide = wideEncodingOf(bytes)
  if (wide !== undefined) return wide
  const text = new TextDecoder("utf-8").decode(bytes)
  // A file of windows-1252 has next to no letters that UTF-8 explains: one with many was cut or joined, and is not guessed at.
  return count(text, /[^\0-\u007f\ufffd]/gu) >= count(text, /\ufffd/g) ? "utf-8" : "windows-1252"
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/** How much of a file is looked at for UTF-16 without a byte order mark. */
const sample = 1024

const wideEncodingOf = (bytes: Uint8Array): Encoding | undefined => {
  const start = bytes.subarray(0, sample)
  const zeros = [0, 0]
  for (const [index, byte] of start.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  const many = start.length / 4
  return odd > many && even === 0 ? "utf-16le" : even > many && odd === 0 ? "utf-16be" : undefined
}

/**
 * Characters of the bytes 0x80 to 0x9f. The runtime's own decoder is not used: versions of Node.js read these bytes as
 * controls.
 */
const upperControls = "€\ufffd‚ƒ„…†‡ˆ‰Š‹Œ\ufffdŽ\ufffd\ufffd‘’“”•–—˜™š›œ\ufffdžŸ"

/** Signs that older code pages of DOS and Macintosh leave within words: their letters are other bytes. */
const otherCodePage = /(?<=\p{L})[‚„†‡ˆ‰‹›˜¡¢](?=\p{L})|(?<=\p{Ll})Æ(?=\p{Ll})/gu

const windows1252 = (bytes: Uint8Array): string => {
  const parts: Array<string> = []
  for (let from = 0; from < bytes.length; from += 4096) {
    const codes = Array.from(bytes.subarray(from, from + 4096), (byte) =>
      byte >= 0x80 && byte <= 0x9f ? upperControls.charCodeAt(byte - 0x80) : byte
    )
    parts.push(String.fromCharCode(...codes))
  }
  return parts.join("").replaceAll(otherCodePage, unreadable)
}
