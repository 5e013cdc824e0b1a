/**
 * Returns `length` characters of `alphabet` from random bytes. The bytes are read as one number; because there are 12
 * bytes more than the text needs, no character is favoured by more than 2^-96.
 */
export const randomText = (alphabet: string, length: number, bytes: Uint8Array): string => {
  const base = BigInt(alphabet.length)
  let rest = 0n
  for (const byte of bytes) rest = (rest << 8n) | BigInt(byte)
  let text = ""
  for (let i = 0; i < length; i++) {
    text += alphabet[Number(rest % base)]
    rest /= base
  }
  return text
}

/** Returns the number of random bytes that `randomText` needs for an even choice. */
export const randomTextBytes = (alphabet: string, length: number): number =>
  Math.ceil((length * Math.log2(alphabet.length)) / 8) + 12
