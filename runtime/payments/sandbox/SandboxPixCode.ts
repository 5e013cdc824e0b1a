import { formatBrl } from "@carteiro/schema/conventions/Money.ts"

/**
 * Returns the code of a Pix payment in a sandbox: it has the fields and the checksum of a real code, and a receiver
 * that no bank knows. Amount in 1/10,000 BRL. gaps-3 C "Sandbox fixture"
 */
export const sandboxPixCode = (id: string, amount: number): string => {
  const account = field("00", "br.gov.bcb.pix") + field("25", `sandbox.invalid/pix/${id}`)
  const unsigned = [
    field("00", "01"),
    field("26", account),
    field("52", "0000"),
    field("53", "986"),
    field("54", formatBrl(amount).slice(0, -2)),
    field("58", "BR"),
    field("59", "CARTEIRO SANDBOX"),
    field("60", "SAO PAULO"),
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
