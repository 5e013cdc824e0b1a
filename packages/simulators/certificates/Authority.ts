import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign, X509Certificate } from "node:crypto"
import { bits, explicit, implicit, integer, octets, oid, sequence, set, small, time, utf8, yes } from "./Der.ts"

/** A certificate with its key, as PEM texts. */
export interface Identity {
  readonly cert: string
  readonly key: string
}

const dayMs = 86_400_000
const yearsMs = 10 * 365 * dayMs

const ecdsaWithSha256 = sequence(oid("1.2.840.10045.4.3.2"))

const name = (common: string): Buffer => sequence(set(sequence(oid("2.5.4.3"), utf8(common))))

const extension = (id: string, value: Buffer, isCritical = false): Buffer =>
  sequence(oid(id), ...(isCritical ? [yes] : []), octets(value))

/** Key usage is a string of bits, the first being the highest. */
const usage = (byte: number, unused: number): Buffer => extension("2.5.29.15", bits(Buffer.from([byte]), unused), true)

const authorityExtensions = [extension("2.5.29.19", sequence(yes), true), usage(0b0000_0110, 1)]

const extensionsOf = (purpose: "server" | "client"): ReadonlyArray<Buffer> => [
  extension("2.5.29.19", sequence(), true),
  usage(0b1000_0000, 7),
  extension("2.5.29.37", sequence(oid(purpose === "server" ? "1.3.6.1.5.5.7.3.1" : "1.3.6.1.5.5.7.3.2"))),
  ...(purpose === "server"
    ? [
        extension(
          "2.5.29.17",
          sequence(implicit(2, Buffer.from("localhost")), implicit(7, Buffer.from([127, 0, 0, 1])))
        )
      ]
    : [])
]

/** Returns a certificate and a new key of the curve P-256, signed with a key of that curve. */
const issue = (
  subject: string,
  extensions: ReadonlyArray<Buffer>,
  issuer: { readonly name: string; readonly key: KeyObject } | undefined,
  now: number
): Identity => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" })
  const body = sequence(
    explicit(0, small(2)),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    ecdsaWithSha256,
    name(issuer?.name ?? subject),
    sequence(time(now - dayMs), time(now + yearsMs)),
    name(subject),
    publicKey.export({ type: "spki", format: "der" }),
    explicit(3, sequence(...extensions))
  )
  const signature = sign("sha256", body, issuer?.key ?? privateKey)
  return {
    cert: new X509Certificate(sequence(body, ecdsaWithSha256, bits(signature))).toString(),
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString()
  }
}

/** Makes an authority for tests and development. `now` is in epoch milliseconds. */
export const makeAuthority = (common: string, now: number): Identity =>
  issue(common, authorityExtensions, undefined, now)

/** Makes a certificate of an authority: of a server at this machine, or of a client. */
export const issueFrom = (authority: Identity, common: string, purpose: "server" | "client", now: number): Identity => {
  const [, issuer = ""] = /^CN=(.+)$/m.exec(new X509Certificate(authority.cert).subject) ?? []
  return issue(common, extensionsOf(purpose), { name: issuer, key: createPrivateKey(authority.key) }, now)
}
