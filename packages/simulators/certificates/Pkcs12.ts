import { createHash, createHmac, createPrivateKey, randomBytes, X509Certificate } from "node:crypto"
import type { Identity } from "./Authority.ts"
import { explicit, nothing, octets, oid, sequence, set, small } from "./Der.ts"

const rounds = 2048
const blockBytes = 64

/**
 * Returns a PKCS#12 file, as a bank hands it out: the key under the password, its certificate and that of its
 * authority.
 */
export const pkcs12 = ({ cert, key }: Identity, authority: string, password: string): Buffer => {
  const own = new X509Certificate(cert)
  const keyId = attribute(createHash("sha1").update(own.raw).digest())
  const shrouded = createPrivateKey(key).export({
    type: "pkcs8",
    format: "der",
    cipher: "aes-256-cbc",
    passphrase: password
  })
  const certificates = sequence(
    bag("1.2.840.113549.1.12.10.1.3", certificateBag(own), keyId),
    bag("1.2.840.113549.1.12.10.1.3", certificateBag(new X509Certificate(authority)))
  )
  const keys = sequence(bag("1.2.840.113549.1.12.10.1.2", shrouded, keyId))
  const safes = sequence(data(certificates), data(keys))
  return sequence(small(3), data(safes), seal(safes, password))
}

const data = (content: Buffer): Buffer => sequence(oid("1.2.840.113549.1.7.1"), explicit(0, octets(content)))

const bag = (kind: string, value: Buffer, ...attributes: ReadonlyArray<Buffer>): Buffer =>
  sequence(oid(kind), explicit(0, value), ...(attributes.length === 0 ? [] : [set(...attributes)]))

const certificateBag = ({ raw }: X509Certificate): Buffer =>
  sequence(oid("1.2.840.113549.1.9.22.1"), explicit(0, octets(raw)))

/** The attribute that joins a key to its certificate. */
const attribute = (id: Buffer): Buffer => sequence(oid("1.2.840.113549.1.9.21"), set(octets(id)))

/** Returns the code over the content, under a key that is drawn from the password (RFC 7292, appendix B). */
const seal = (content: Buffer, password: string): Buffer => {
  const salt = randomBytes(16)
  const secret = Buffer.from(`${password}\0`, "utf16le").swap16()
  const filled = (source: Buffer): Buffer =>
    Buffer.alloc(Math.ceil(source.length / blockBytes) * blockBytes, Uint8Array.from(source))
  let key = Buffer.concat([Buffer.alloc(blockBytes, 3), filled(salt), filled(secret)])
  for (let round = 0; round < rounds; round++) key = createHash("sha256").update(key).digest()
  const code = createHmac("sha256", key).update(content).digest()
  const algorithm = sequence(oid("2.16.840.1.101.3.4.2.1"), nothing)
  return sequence(sequence(algorithm, octets(code)), octets(salt), small(rounds))
}
