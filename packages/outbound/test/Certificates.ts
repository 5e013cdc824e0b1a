import { generateKeyPairSync, sign } from "node:crypto"

const der = (tag: number, ...parts: ReadonlyArray<Uint8Array>): Buffer => {
  const body = Buffer.concat(parts)
  if (body.length < 128) return Buffer.concat([Buffer.of(tag, body.length), body])
  const length = Buffer.of(body.length >> 8, body.length & 255)
  return Buffer.concat([Buffer.of(tag, 0x82), length, body])
}
const sequence = (...parts: ReadonlyArray<Uint8Array>) => der(0x30, ...parts)
const oid = (hex: string) => der(0x06, Buffer.from(hex, "hex"))
const time = (year: number) => der(0x18, Buffer.from(`${year}0101000000Z`))

/** A self-signed certificate for one DNS name, made on the spot so that no private key is kept in the repository. */
export const selfSigned = (name: string, validUntilYear = 2100): { readonly key: string; readonly cert: string } => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const ecdsaSha256 = sequence(oid("2a8648ce3d040302"))
  const subject = sequence(der(0x31, sequence(oid("550403"), der(0x0c, Buffer.from(name)))))
  const alternativeName = sequence(oid("551d11"), der(0x04, sequence(der(0x82, Buffer.from(name)))))
  const certificate = sequence(
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.of(1)),
    ecdsaSha256,
    subject,
    sequence(time(2000), time(validUntilYear)),
    subject,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(alternativeName))
  )
  const signed = sequence(certificate, ecdsaSha256, der(0x03, Buffer.of(0), sign("sha256", certificate, privateKey)))
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${signed.toString("base64")}\n-----END CERTIFICATE-----\n`
  }
}
