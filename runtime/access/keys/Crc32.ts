const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1
  return rest
})

/** CRC-32 (IEEE 802.3) of ASCII text, as an unsigned number; text of another alphabet has no meaning here. */
export const crc32 = (ascii: string): number => {
  let rest = 0xffffffff
  for (let i = 0; i < ascii.length; i++) {
    rest = (rest >>> 8) ^ (table[(rest ^ ascii.charCodeAt(i)) & 0xff] as number)
  }
  return ~rest >>> 0
}
