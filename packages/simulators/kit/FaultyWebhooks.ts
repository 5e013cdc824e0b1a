import type { CallLog } from "./CallLog.ts"
import type { Faults } from "./Faults.ts"
import { Timers } from "./Timers.ts"
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

/** The flaws that faults give to one webhook. */
export interface WebhookFlaws {
  readonly isForged: boolean
  /** How much older its signature is than it should be, in milliseconds. */
  readonly ageMs: number
}

const staleMs = 301_000
/** The time for which a webhook waits for another to overtake it, in milliseconds. */
const overtakenMs = 1000

/** Posts webhooks, each until the response is 200: lost, twice, late, out of order, forged or stale by the faults. */
export class FaultyWebhooks {
  private readonly sender: WebhookSender
  private readonly faults: Faults
  private readonly timers = new Timers()
  private readonly waiting = new Map<Outgoing, () => void>()
  private overtaken: Outgoing | undefined

  constructor(log: CallLog, faults: Faults) {
    this.faults = faults
    this.sender = new WebhookSender(
      () => undefined,
      (what, status, attempt) => {
        log.add("webhook", { status, attempt, body: what.body.toString("utf8") })
        this.waiting.get(what)?.()
        this.waiting.delete(what)
      }
    )
  }

  /** Sets the address of the product's receiver. */
  aim(url: string): void {
    this.sender.aim(url)
  }

  get url(): string | undefined {
    return this.sender.url?.href
  }

  /** Posts a webhook. The promise ends with the first attempt, or at once for a webhook that a fault loses or delays. */
  post(make: (flaws: WebhookFlaws) => Outgoing): Promise<void> {
    const hit = (name: (typeof signedWebhookFaults)[number]) => this.faults.hit([name], { operation: "webhook" })
    if (hit("lost_webhook")) return Promise.resolve()
    const isForged = hit("bad_signature") !== undefined
    const what = make({ isForged, ageMs: hit("stale_webhook") === undefined ? 0 : staleMs })
    const delay = hit("delay_webhook")?.value
    const isSent = delay === undefined && (this.overtaken !== undefined || hit("reorder_webhooks") === undefined)
    if (delay !== undefined) this.timers.after(delay, () => this.sender.send(what))
    else if (isSent) this.send(what)
    else this.overtake(what)
    if (hit("duplicate_webhook")) this.sender.send(what)
    if (!isSent) return Promise.resolve()
    return new Promise((resolve) => this.waiting.set(what, resolve))
  }

  close(): void {
    this.timers.close()
    this.sender.close()
    for (const end of this.waiting.values()) end()
    this.waiting.clear()
  }

  private send(what: Outgoing): void {
    this.sender.send(what)
    const { overtaken } = this
    this.overtaken = undefined
    if (overtaken !== undefined) this.sender.send(overtaken)
  }

  private overtake(what: Outgoing): void {
    this.overtaken = what
    this.timers.after(overtakenMs, () => {
      if (this.overtaken !== what) return
      this.overtaken = undefined
      this.sender.send(what)
    })
  }
}
