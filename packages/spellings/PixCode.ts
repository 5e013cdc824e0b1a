/** The longest address of a charge in a Pix code, in characters: a length has two digits, and banks refuse a code whose lengths do not fit. */
export const longestLocation = 77

/** Where a Pix code leads, and what it says of itself. */
interface PixCodeFields {
  /** Address of the charge without its scheme, at most `longestLocation`. */
  readonly location: string
  /** Name of the receiver in capitals, without accents, at most 25 characters. */
  readonly name: string
  /** City of the receiver, like the name, at most 15 characters. */
  readonly city: string
  /** Reais with a point and two digits; a code without an amount takes that of the charge. */
  readonly amount?: string
}

/** Returns the code that leads a payer's bank to a charge, as the central bank's manual of codes has it. */
export const pixCode = ({ amount, city, location, name }: PixCodeFields): string => {
  const unsigned = [
    field("00", "01"),
    field("26", field("00", "br.gov.bcb.pix") + field("25", location)),
    field("52", "0000"),
    field("53", "986"),
    amount === undefined ? "" : field("54", amount),
    field("58", "BR"),
    field("59", name),
    field("60", city),
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
