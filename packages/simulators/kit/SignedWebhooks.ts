import { createHmac } from "node:crypto"
import type { CallLog } from "./CallLog.ts"
import type { Faults } from "./Faults.ts"
import { type Outgoing, WebhookSender } from "./Webhooks.ts"

/** Faults of signed webhooks; `delay_webhook` takes milliseconds as its value. */
export const signedWebhookFaults = [
  "duplicate_webhook",
  "reorder_webhooks",
  "delay_webhook",
  "lost_webhook",
  "bad_signature",
  "stale_webhook"
] as const

/** The agreement between the vendors of money and numbers and their caller. */
export interface SignedWebhookOptions {
  readonly webhookSecret: string
  /** Epoch milliseconds. */
  readonly now: () => number
}

const staleMs = 301_000
/** The time for which a webhook waits for another to overtake it, in milliseconds. */
const overtakenMs = 1000

/**
 * Posts events to the product: `{id, type, created_at, data}` under `x-provider-signature`, signed again at each
 * attempt, until the response is 200. vendor-wires, first paragraph
 */
export class SignedWebhooks {
  private readonly sender: WebhookSender
  private readonly options: SignedWebhookOptions
  private readonly faults: Faults
  private readonly timers = new Set<NodeJS.Timeout>()
  private overtaken: Outgoing | undefined
  private told = 0

  constructor(options: SignedWebhookOptions, log: CallLog, faults: Faults) {
    this.options = options
    this.faults = faults
    this.sender = new WebhookSender(
      () => undefined,
      (what, status, attempt) => log.add("webhook", { status, attempt, body: what.body.toString("utf8") })
    )
  }

  /** Sets the address of the product's receiver. */
  aim(url: string): void {
    this.sender.aim(url)
  }

  get url(): string | undefined {
    return this.sender.url?.href
  }

  tell(type: string, data: object): void {
    const { faults, options } = this
    const hit = (name: (typeof signedWebhookFaults)[number]) => faults.hit([name], { operation: "webhook" })
    if (hit("lost_webhook")) return
    const at = options.now()
    const id = `evt_${at.toString(36)}_${++this.told}`
    const body = Buffer.from(JSON.stringify({ id, type, created_at: new Date(at).toISOString(), data }))
    const secret = hit("bad_signature") ? "not the secret" : options.webhookSecret
    const ageMs = hit("stale_webhook") ? staleMs : 0
    const what: Outgoing = { body, headers: () => signature(secret, options.now() - ageMs, body) }
    const delay = hit("delay_webhook")?.value
    if (delay !== undefined) this.later(delay, () => this.sender.send(what))
    else if (this.overtaken === undefined && hit("reorder_webhooks")) this.overtake(what)
    else this.send(what)
    if (hit("duplicate_webhook")) this.sender.send(what)
  }

  close(): void {
    for (const timer of this.timers) clearTimeout(timer)
    this.sender.close()
  }

  private send(what: Outgoing): void {
    this.sender.send(what)
    const { overtaken } = this
    this.overtaken = undefined
    if (overtaken !== undefined) this.sender.send(overtaken)
  }

  private overtake(what: Outgoing): void {
    this.overtaken = what
    this.later(overtakenMs, () => {
      if (this.overtaken !== what) return
      this.overtaken = undefined
      this.sender.send(what)
    })
  }

  private later(ms: number, then: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer)
      then()
    }, ms)
    this.timers.add(timer)
  }
}

/** Returns the header `x-provider-signature` of a body at an instant in epoch milliseconds. */
const signature = (secret: string, at: number, body: Uint8Array): { readonly "x-provider-signature": string } => {
  const t = Math.floor(at / 1000)
  const v1 = createHmac("sha256", secret).update(`${t}.`).update(body).digest("hex")
  return { "x-provider-signature": `t=${t},v1=${v1}` }
}
