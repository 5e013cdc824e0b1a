import { createHash, randomBytes } from "node:crypto"
import type { CallLog } from "../kit/CallLog.ts"
import type { Faults } from "../kit/Faults.ts"
import { FaultyWebhooks } from "../kit/FaultyWebhooks.ts"
import type { Call } from "../kit/Routes.ts"

/** The scopes of the description that these routes need. */
const scopes = [
  "cob.write",
  "cob.read",
  "pix.write",
  "pix.read",
  "webhook.read",
  "webhook.write",
  "payloadlocation.write",
  "payloadlocation.read"
] as const

export type Scope = (typeof scopes)[number]

/** A client of the bank: its OAuth credentials, and its Pix keys and scopes if only those may be used. */
export interface ReceiverSetup {
  readonly client_id: string
  /** Required of a client that is not known yet. */
  readonly client_secret?: string
  readonly pix_keys?: ReadonlyArray<string>
  readonly scopes?: ReadonlyArray<string>
}

/** Where receipts of a Pix key are told. */
export interface RegisteredWebhook {
  readonly webhookUrl: string
  /** Epoch milliseconds. */
  readonly createdAt: number
}

/** A client that was set up. */
export interface Receiver {
  readonly clientId: string
  readonly cnpj: string
  readonly webhooks: Map<string, RegisteredWebhook>
}

interface KnownReceiver extends Receiver {
  secret: string
  keys: ReadonlySet<string> | undefined
  scopes: ReadonlySet<string>
}

interface Token {
  readonly receiver: Receiver
  readonly scopes: ReadonlySet<string>
  readonly certificate: string
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

/** The clients of the bank, their tokens, and who owns which Pix key: the first client that uses one. */
export class Receivers {
  private readonly byId = new Map<string, KnownReceiver>()
  private readonly tokens = new Map<string, Token>()
  private readonly owners = new Map<string, Receiver>()
  private readonly notices: FaultyWebhooks
  private readonly now: () => number

  constructor(log: CallLog, faults: Faults, now: () => number) {
    this.notices = new FaultyWebhooks(log, faults)
    this.now = now
  }

  /** Makes or changes a client; false for a new one without a secret. */
  setUp({ client_id, client_secret, pix_keys, scopes: allowed }: ReceiverSetup): boolean {
    const receiver = this.byId.get(client_id) ?? (client_secret && newReceiver(client_id, client_secret))
    if (receiver === undefined || receiver === "") return false
    this.byId.set(client_id, receiver)
    if (client_secret !== undefined) receiver.secret = client_secret
    if (pix_keys !== undefined) receiver.keys = new Set(pix_keys)
    if (allowed !== undefined) receiver.scopes = new Set(allowed)
    return true
  }

  /** Returns a new token, bound to the certificate of its connection, or the error of RFC 6749, 5.2. */
  grant(
    credentials: { readonly id: string; readonly secret: string; readonly certificate: string },
    wanted: ReadonlyArray<string> | undefined,
    lifetimeSeconds: number
  ): { readonly token: string; readonly scopes: ReadonlyArray<string> } | "invalid_client" | "invalid_scope" {
    const receiver = this.byId.get(credentials.id)
    if (receiver === undefined || receiver.secret !== credentials.secret) return "invalid_client"
    const granted = wanted ?? [...receiver.scopes]
    if (!granted.every((scope) => receiver.scopes.has(scope))) return "invalid_scope"
    const token = randomBytes(24).toString("base64url")
    const expiresAt = this.now() + lifetimeSeconds * 1000
    this.tokens.set(token, { receiver, scopes: new Set(granted), certificate: credentials.certificate, expiresAt })
    return { token, scopes: granted }
  }

  /** Returns the receiver of a call: undefined for a token that is unknown, too old or of another certificate. */
  of(call: Call, scope: Scope): { readonly receiver: Receiver; readonly isAllowed: boolean } | undefined {
    const name = /^Bearer (\S+)$/i.exec(call.headers.authorization ?? "")?.[1] ?? ""
    const token = this.tokens.get(name)
    if (token === undefined || token.certificate !== certificateOf(call)) return undefined
    if (token.expiresAt > this.now()) return { receiver: token.receiver, isAllowed: token.scopes.has(scope) }
    this.tokens.delete(name)
    return undefined
  }

  /** Forgets all tokens, as a bank does that was restarted. */
  revoke(): void {
    this.tokens.clear()
  }

  /** True for a Pix key of this receiver; an unknown key becomes its own. */
  owns(receiver: Receiver, key: string): boolean {
    const owner = this.owners.get(key) ?? receiver
    const keys = this.byId.get(receiver.clientId)?.keys
    if (owner !== receiver || (keys !== undefined && !keys.has(key))) return false
    this.owners.set(key, receiver)
    return true
  }

  /** Posts receipts to the webhook of a Pix key, if there is one. Ends with the first attempt. */
  tell(receiver: Receiver, key: string, pix: ReadonlyArray<object>): Promise<void> {
    const webhook = receiver.webhooks.get(key)
    if (webhook === undefined) return Promise.resolve()
    const url = new URL(webhook.webhookUrl)
    // The description adds `/pix` to the text of the registered address, whatever its end.
    url.pathname = `${url.pathname.replace(/\/$/, "")}/pix`
    const body = Buffer.from(JSON.stringify({ pix }))
    return this.notices.post(() => ({ body, url, headers: {} }))
  }

  close(): void {
    this.notices.close()
  }
}

const newReceiver = (clientId: string, secret: string): KnownReceiver => {
  const cnpj = String(createHash("sha256").update(clientId).digest().readUInt32BE(0)).padStart(14, "1")
  return { clientId, cnpj, webhooks: new Map(), secret, keys: undefined, scopes: new Set<string>(scopes) }
}

/** Returns the fingerprint of the certificate that a call's connection showed. */
export const certificateOf = ({ response }: Call): string => {
  const { socket } = response
  if (socket === null || !("getPeerCertificate" in socket)) return ""
  const certificate = (
    socket as { getPeerCertificate: () => { readonly fingerprint256?: string } }
  ).getPeerCertificate()
  return certificate.fingerprint256 ?? ""
}
