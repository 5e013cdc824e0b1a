/** Codecs by the first letters of the first packet of an Ogg file. */
const codecs: ReadonlyArray<readonly [letters: string, codec: string]> = [
  ["OpusHead", "Opus"],
  ["\u0001vorbis", "Vorbis"],
  ["\u007fFLAC", "FLAC"],
  ["Speex   ", "Speex"]
]

/** The header of a page ends with the number of its segments; a byte for each of them follows. */
const pageHeader = 27

/** The most bytes that precede and hold the letters of the codec. */
export const oggHeadBytes = pageHeader + 255 + 8

/** Returns the codec of an Ogg file by its first page; undefined for other files and other codecs. */
export const oggCodec = (head: Uint8Array): string | undefined => {
  const letters = (from: number, length: number) => String.fromCharCode(...head.subarray(from, from + length))
  if (letters(0, 4) !== "OggS") return undefined
  const at = pageHeader + (head[pageHeader - 1] ?? 0)
  return codecs.find(([sign]) => letters(at, sign.length) === sign)?.[1]
}

/** Returns the sentence about an Ogg file that the chat platform refuses; undefined for any other file. */
export const oggWarning = (name: string, head: Uint8Array): string | undefined => {
  const codec = oggCodec(head)
  if (codec === undefined || codec === "Opus") return undefined
  const target = `${name.replace(/\.[^.]*$/, "")}.opus`
  return `${name} holds ${codec}, which the chat platform refuses: sound in Ogg must be Opus. Convert it, as with: ffmpeg -i ${name} -c:a libopus ${target}`
}
