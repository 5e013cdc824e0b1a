/** Control bytes that text holds: tab, line ends, form feed, and the escape of terminals. */
const textControls: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1b])

/** Byte order marks of UTF-16, whose text is half zeros. */
const wideMarks: ReadonlyArray<readonly [number, number]> = [
  [0xff, 0xfe],
  [0xfe, 0xff]
]

/**
 * True when leading bytes are text, whatever their first letters and their code page: no zero byte, and of other control
 * bytes at most one in a hundred. UTF-16 counts as text by its byte order mark. U-MED-04
 */
export const isText = (head: Uint8Array): boolean => {
  if (wideMarks.some(([first, second]) => head[0] === first && head[1] === second)) return isWideText(head)
  let controls = 0
  for (const byte of head) {
    if (byte === 0) return false
    if (byte < 0x20 && !textControls.has(byte)) controls++
  }
  return controls <= Math.max(1, head.length / 100)
}

/** True when no character is zero; the last one may be cut. */
const isWideText = (head: Uint8Array): boolean => {
  for (let at = 2; at + 1 < head.length; at += 2) {
    if (head[at] === 0 && head[at + 1] === 0) return false
  }
  return true
}

/** The most bytes before a header that readers of PDF pass over. */
const mostMargin = 1024
const blanks: ReadonlySet<number> = new Set([0x00, 0x09, 0x0a, 0x0c, 0x0d, 0x20])

/** Returns the bytes behind a byte order mark and blanks. */
export const withoutMargin = (head: Uint8Array): Uint8Array => {
  let at = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0
  while (at < mostMargin && blanks.has(head[at] ?? -1)) at++
  return head.subarray(at)
}

/** True when the bytes begin with these letters. */
export const beginsWith = (bytes: Uint8Array, letters: string): boolean =>
  Buffer.from(letters, "latin1").equals(bytes.subarray(0, letters.length))
