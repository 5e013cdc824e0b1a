/** The length of the header of an ID3 tag, which ends with the tag's own length in four bytes of seven bits. */
const headerBytes = 10

/** Returns where the sound behind an ID3 tag begins; undefined when no tag stands at the beginning. */
const soundAt = (head: Uint8Array): number | undefined => {
  if (!Buffer.from("ID3").equals(head.subarray(0, 3)) || head.length < headerBytes) return undefined
  const [a = 0, b = 0, c = 0, d = 0] = head.subarray(6, headerBytes)
  return headerBytes + (((a & 0x7f) << 21) | ((b & 0x7f) << 14) | ((c & 0x7f) << 7) | (d & 0x7f))
}

/**
 * True when the bytes begin with an ID3 tag behind which AAC in ADTS frames begins. A tag with a cover is longer than the
 * leading bytes; then nothing contradicts AAC.
 */
export const isTaggedAac = (head: Uint8Array): boolean => {
  const at = soundAt(head)
  if (at === undefined) return false
  const [sync, layer] = head.subarray(at, at + 2)
  return layer === undefined || (sync === 0xff && (layer & 0xf6) === 0xf0)
}
