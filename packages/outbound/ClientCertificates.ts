import { createHash } from "node:crypto"
import { createSecureContext } from "node:tls"

/**
 * A certificate with its key, by which a call proves who makes it. Its connections are shared with no call that has
 * another one, or none.
 */
export class ClientCertificate {
  /** Tells certificates apart without showing anything of them. */
  readonly fingerprint: string
  readonly #pfx: Buffer
  readonly #password: string

  private constructor(pfx: Buffer, password: string) {
    this.#pfx = pfx
    this.#password = password
    this.fingerprint = createHash("sha256").update(pfx).update("\0").update(password).digest("base64url")
  }

  /** Reads a PKCS#12 file; returns what is wrong with one that no connection could use. */
  static read(pkcs12: Uint8Array, password: string): ClientCertificate | CertificateFault {
    const pfx = Buffer.from(pkcs12)
    try {
      createSecureContext({ pfx, passphrase: password })
    } catch (error) {
      return faultOf(error)
    }
    return new ClientCertificate(pfx, password)
  }

  /** The members of the TLS client's options. */
  get tlsOptions(): { readonly pfx: Buffer; readonly passphrase: string } {
    return { pfx: this.#pfx, passphrase: this.#password }
  }
}

/** Why a PKCS#12 file cannot be used: its password is another, its encryption is outdated, or it is no such file. */
export type CertificateFault = "password" | "outdated" | "malformed"

const faultOf = (error: unknown): CertificateFault => {
  const message = error instanceof Error ? error.message : ""
  if (/mac verify failure|bad decrypt/i.test(message)) return "password"
  return /unsupported/i.test(message) ? "outdated" : "malformed"
}
