import { createHash, createHmac, randomUUID } from "node:crypto"
import type { CallLog } from "../kit/CallLog.ts"
import type { Faults } from "../kit/Faults.ts"
import { FaultyWebhooks } from "../kit/FaultyWebhooks.ts"
import type { Call } from "../kit/Routes.ts"
import type { AccountSetup } from "../pix/Accounts.ts"

/** An account at Mercado Pago, by its access token. */
export interface Merchant {
  readonly key: string
  readonly userId: number
  /** The secret of its signatures, and the address for payments that name none. */
  readonly agreed: { webhookSecret: string; webhookUrl: string | undefined }
}

/** A webhook about a payment. */
export interface Notice {
  readonly paymentId: number
  readonly action: "payment.created" | "payment.updated"
  readonly notificationUrl: string | null
}

/** Tokens with this beginning are unknown. */
const unknownToken = /^invalid/

/** Merchants by access token, and the webhooks to them: every token is its own merchant. */
export class Merchants {
  private readonly byKey = new Map<string, Merchant>()
  private readonly webhooks: FaultyWebhooks
  private readonly faults: Faults
  private readonly now: () => number
  private lastNotice = 0

  constructor(log: CallLog, faults: Faults, now: () => number) {
    this.webhooks = new FaultyWebhooks(log, faults)
    this.faults = faults
    this.now = now
  }

  setUp({ key, webhook_secret, webhook_url }: AccountSetup): void {
    const { agreed } = this.ofKey(key)
    agreed.webhookSecret = webhook_secret
    if (webhook_url !== undefined) agreed.webhookUrl = webhook_url
  }

  /** Returns the merchant of a call; undefined for an invalid credential. */
  of({ headers }: Call): Merchant | undefined {
    const key = /^Bearer (\S+)$/.exec(headers.authorization ?? "")?.[1]
    return key === undefined || unknownToken.test(key) ? undefined : this.ofKey(key)
  }

  /** Posts a webhook to the payment's address, or else to the merchant's. Ends with the first attempt. */
  tell({ agreed, userId, key }: Merchant, { action, notificationUrl, paymentId }: Notice): Promise<void> {
    const address = notificationUrl ?? agreed.webhookUrl
    if (address === undefined) return Promise.resolve()
    const url = new URL(address)
    url.searchParams.set("data.id", String(paymentId))
    url.searchParams.set("type", "payment")
    this.lastNotice = Math.max(this.lastNotice + 1, this.now() * 1000)
    const body = Buffer.from(
      JSON.stringify({
        action,
        api_version: "v1",
        data: { id: String(paymentId) },
        date_created: new Date(this.now()).toISOString(),
        id: this.lastNotice,
        live_mode: isLive(key),
        type: "payment",
        user_id: String(userId)
      })
    )
    const inSeconds = this.faults.hit(["signed_in_seconds"], { operation: "webhook" }) !== undefined
    return this.webhooks.post(({ ageMs, isForged }) => ({
      body,
      url,
      headers: () => {
        const at = this.now() - ageMs
        const ts = String(inSeconds ? Math.floor(at / 1000) : at)
        return signed(isForged ? "not the secret" : agreed.webhookSecret, String(paymentId), ts)
      }
    }))
  }

  close(): void {
    this.webhooks.close()
  }

  private ofKey(key: string): Merchant {
    const known = this.byKey.get(key)
    if (known !== undefined) return known
    const userId = 100_000_000 + (createHash("sha256").update(key).digest().readUInt32BE(0) % 900_000_000)
    const merchant: Merchant = { key, userId, agreed: { webhookSecret: "", webhookUrl: undefined } }
    this.byKey.set(key, merchant)
    return merchant
  }
}

/** True for a token of production. */
export const isLive = (key: string): boolean => !key.startsWith("TEST-")

/** Returns the headers of a webhook, whose signature covers the payment's id, the request's id and the time. */
const signed = (secret: string, id: string, ts: string): Readonly<Record<string, string>> => {
  const requestId = randomUUID()
  const v1 = createHmac("sha256", secret).update(`id:${id};request-id:${requestId};ts:${ts};`).digest("hex")
  return { "x-request-id": requestId, "x-signature": `ts=${ts},v1=${v1}` }
}
