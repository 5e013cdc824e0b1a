/**
 * Returns the code that leads a payer's bank to the charge at a location, for an institution that leaves it out. The bank
 * shows name, place and amount from the charge itself, so the code has stand-ins for them.
 */
export const brCode = (location: string): string => {
  const unsigned = [
    field("00", "01"),
    field("26", field("00", "br.gov.bcb.pix") + field("25", location)),
    field("52", "0000"),
    field("53", "986"),
    field("58", "BR"),
    field("59", "PIX"),
    field("60", "BRASILIA"),
    field("62", field("05", "***")),
    "6304"
  ].join("")
  return unsigned + checksum(unsigned)
}

/** Returns a field: two digits of name, two of length, the text. */
const field = (name: string, text: string): string => `${name}${String(text.length).padStart(2, "0")}${text}`

/** Returns the CRC-16/CCITT-FALSE in four hex digits. */
const checksum = (text: string): string => {
  let crc = 0xffff
  for (const byte of Buffer.from(text)) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021
    crc &= 0xffff
  }
  return crc.toString(16).toUpperCase().padStart(4, "0")
}
