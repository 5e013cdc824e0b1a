import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Identity, issueFrom, makeAuthority } from "../certificates/Authority.ts"
import { pkcs12 } from "../certificates/Pkcs12.ts"

/** The certificates of a simulated bank and of one client of it. */
export interface BankCertificates {
  /** The authority of both ends, as PEM text. */
  readonly ca: string
  readonly server: Identity
  readonly client: Identity
  /** The client's key and certificate as the bank hands them out, with the authority's certificate. */
  readonly clientPkcs12: Buffer
  readonly password: string
}

const password = "simulated"
const files = ["authority.pem", "authority.key", "client.pem", "client.key", "client.p12"] as const

/**
 * Returns certificates of a new authority, or of the one in a folder, which keeps them for the next start. `now` is in
 * epoch milliseconds.
 */
export const bankCertificates = (now: number, folder?: string): BankCertificates => {
  const read = (file: (typeof files)[number]) => readFileSync(join(folder ?? "", file), "utf8")
  const isKept = folder !== undefined && files.every((file) => existsSync(join(folder, file)))
  const authority = isKept
    ? { cert: read("authority.pem"), key: read("authority.key") }
    : makeAuthority("Simulated bank authority", now)
  const client = isKept
    ? { cert: read("client.pem"), key: read("client.key") }
    : issueFrom(authority, "Simulated client", "client", now)
  const clientPkcs12 = isKept ? readFileSync(join(folder, "client.p12")) : pkcs12(client, authority.cert, password)
  if (folder !== undefined && !isKept) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const contents = [authority.cert, authority.key, client.cert, client.key, clientPkcs12]
    for (const [at, file] of files.entries()) writeFileSync(join(folder, file), contents[at] ?? "", { mode: 0o600 })
  }
  const server = issueFrom(authority, "Simulated bank", "server", now)
  return { ca: authority.cert, server, client, clientPkcs12, password }
}
