import { createHash } from "node:crypto"
import type { OperatorUrl, TenantUrl } from "@carteiro/outbound/Calls.ts"
import { certificateProver } from "@carteiro/outbound/CertificateProof.ts"
import { ClientCertificate } from "@carteiro/outbound/ClientCertificates.ts"
import type { PixCredentialAnswer } from "@carteiro/provider/payments/PixProvider.ts"
import { parseWords } from "@carteiro/provider/VendorWords.ts"
import { Effect, Redacted } from "effect"

/** The members of a credential, as a setup session takes them. The text of all of them as JSON is the key of the port. */
export interface PixApiCredential {
  readonly base_url: string
  readonly client_id: string
  readonly client_secret: string
  readonly certificate_pkcs12_base64: string
  readonly certificate_password: string
  readonly pix_key: string
}

/** Returns the key of the port for an account. */
export const keyOf = (credential: PixApiCredential): string => JSON.stringify(credential)

/** An account at an institution, with what is known of it meanwhile. */
export interface PixApiAccount {
  readonly url: OperatorUrl | TenantUrl
  readonly certificate: ClientCertificate
  readonly clientId: string
  readonly clientSecret: string
  readonly pixKey: string
  token: { readonly value: string; readonly until: number } | undefined
  /** The address that notices are known to go to, and until when that is believed; epoch milliseconds. */
  webhook: { readonly url: string; readonly until: number } | undefined
}

/** The fault of a credential. */
export type BadCredential = Extract<PixCredentialAnswer, { readonly _tag: "Bad" }>

/** The most accounts that one process knows at a time. */
const mostAccounts = 512

/** The accounts of this process by their credentials, the longest unused first. A credential is read once. */
export class PixApiAccounts {
  private readonly byKey = new Map<string, PixApiAccount | BadCredential>()
  private readonly proveCertificate = certificateProver()
  private readonly urlOf: (text: string) => OperatorUrl | TenantUrl | undefined

  constructor(urlOf: (text: string) => OperatorUrl | TenantUrl | undefined) {
    this.urlOf = urlOf
  }

  /** Returns the account of a credential, or what is wrong with it. */
  of(key: Redacted.Redacted): PixApiAccount | BadCredential {
    const text = Redacted.value(key)
    const name = createHash("sha256").update(text).digest("base64url")
    const known = this.byKey.get(name)
    if (known !== undefined) this.byKey.delete(name)
    const account = known ?? this.read(text)
    this.byKey.set(name, account)
    const [oldest] = this.byKey.keys()
    if (this.byKey.size > mostAccounts && oldest !== undefined) this.byKey.delete(oldest)
    return account
  }

  /** Proves that opening a credential's certificate holds this process up for no time that others would notice. */
  prove(key: Redacted.Redacted): Effect.Effect<BadCredential | undefined> {
    const credential = credentialOf(Redacted.value(key))
    if (credential === undefined) return Effect.succeed(undefined)
    const pkcs12 = Buffer.from(credential.certificate_pkcs12_base64, "base64")
    return Effect.map(this.proveCertificate(pkcs12, credential.certificate_password), (verdict) =>
      verdict === "costly" ? bad("certificate_pkcs12_base64", costly) : undefined
    )
  }

  private read(text: string): PixApiAccount | BadCredential {
    const credential = credentialOf(text)
    if (credential === undefined) return bad("base_url", "Connect the account again: its credential cannot be read.")
    const url = this.urlOf(credential.base_url)
    if (url === undefined || credential.base_url.includes("?")) return bad("base_url", badUrl)
    const pkcs12 = Buffer.from(credential.certificate_pkcs12_base64, "base64")
    const certificate = ClientCertificate.read(pkcs12, credential.certificate_password)
    if (typeof certificate === "string") {
      return bad(certificate === "password" ? "certificate_password" : "certificate_pkcs12_base64", faults[certificate])
    }
    return {
      url,
      certificate,
      clientId: credential.client_id,
      clientSecret: credential.client_secret,
      pixKey: credential.pix_key,
      token: undefined,
      webhook: undefined
    }
  }
}

const bad = (field: string, message: string): BadCredential => ({ _tag: "Bad", field, message })

const badUrl =
  "base_url must be an https URL of a public host, without credentials, query and fragment, such as https://pix.example.com/api."

const costly =
  "The certificate's file takes too long to open; write it anew with the usual count of rounds, such as openssl pkcs12 -export of OpenSSL 3."

const faults = {
  password: "certificate_password does not open the certificate; enter the password that came with its file.",
  outdated:
    "The certificate's file is encrypted in an outdated way; write it anew with a current program, such as openssl pkcs12 -export of OpenSSL 3.",
  malformed: "certificate_pkcs12_base64 must be a PKCS#12 file (.p12 or .pfx) with certificate and key, in base64."
} as const

const members = [
  "base_url",
  "client_id",
  "client_secret",
  "certificate_pkcs12_base64",
  "certificate_password",
  "pix_key"
] as const

const credentialOf = (text: string): PixApiCredential | undefined => {
  try {
    const json = parseWords(text)
    if (typeof json !== "object" || json === null) return undefined
    const values = Object.fromEntries(Object.entries(json).filter(([, value]) => typeof value === "string"))
    return members.every((name) => name in values) ? (values as unknown as PixApiCredential) : undefined
  } catch {
    return undefined
  }
}
