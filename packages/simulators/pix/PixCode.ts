/** Returns a field of a Pix code: two digits of name, two of length, the text. */
const field = (name: string, text: string): string => `${name}${String(text.length).padStart(2, "0")}${text}`

/** Returns the code that a bank's app takes: EMV fields of Pix with their checksum. */
export const pixCode = (id: string, amountCentavos: number): string => {
  const account = field("00", "br.gov.bcb.pix") + field("25", `pix.example/${id}`)
  const amount = `${Math.floor(amountCentavos / 100)}.${String(amountCentavos % 100).padStart(2, "0")}`
  const unsigned = [
    field("00", "01"),
    field("26", account),
    field("52", "0000"),
    field("53", "986"),
    field("54", amount),
    field("58", "BR"),
    field("59", "Simulador"),
    field("60", "Sao Paulo"),
    field("62", field("05", "***")),
    "6304"
  ].join("")
  return unsigned + checksum(unsigned)
}

/** Returns CRC-16/CCITT-FALSE in four hex digits. */
const checksum = (text: string): string => {
  let crc = 0xffff
  for (const byte of Buffer.from(text)) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021
    crc &= 0xffff
  }
  return crc.toString(16).toUpperCase().padStart(4, "0")
}
