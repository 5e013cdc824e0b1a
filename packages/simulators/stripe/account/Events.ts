import { createHmac } from "node:crypto"
import type Stripe from "stripe"
import type { CallLog } from "../../kit/CallLog.ts"
import type { Faults } from "../../kit/Faults.ts"
import type { signedWebhookFaults } from "../../kit/SignedWebhooks.ts"
import type { Timers } from "../../kit/Timers.ts"
import { type Outgoing, WebhookSender } from "../../kit/Webhooks.ts"
import { apiVersion, type StripeOptions } from "../Vendor.ts"
import type { Ids } from "../wire/Ids.ts"
import { missing } from "../wire/Refusal.ts"
import { Objects } from "./World.ts"

/** The events that the webhook's receiver subscribes to; all of them can be listed. */
const subscribedEvents: ReadonlyArray<string> = [
  "charge.dispute.closed",
  "charge.dispute.created",
  "charge.refunded",
  "checkout.session.completed",
  "checkout.session.expired",
  "payment_intent.canceled",
  "payment_intent.payment_failed",
  "payment_intent.processing",
  "payment_intent.requires_action",
  "payment_intent.succeeded",
  "refund.created",
  "refund.failed",
  "refund.updated",
  "setup_intent.succeeded"
]

/** The age of a stale webhook: more than the official client tolerates. */
const staleMs = 301_000
/** The time for which a webhook waits for another to overtake it. */
const overtakenMs = 1000

/** The request that causes events. */
export interface Cause {
  readonly id: string | null
  readonly idempotency_key: string | null
}

/** The account's events, and their delivery under `Stripe-Signature`, signed again at each attempt. */
export class Events {
  readonly objects: Objects<Stripe.Event>
  /** The request under way. */
  cause: Cause = { id: null, idempotency_key: null }
  private readonly sender: WebhookSender
  private readonly options: StripeOptions
  private readonly faults: Faults
  private readonly timers: Timers
  private readonly ids: Ids
  private overtaken: Outgoing | undefined

  constructor(options: StripeOptions, log: CallLog, faults: Faults, timers: Timers, ids: Ids) {
    this.options = options
    this.faults = faults
    this.timers = timers
    this.ids = ids
    this.objects = new Objects(options.now)
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

  require(id: string): Stripe.Event {
    const event = this.objects.get(id)
    if (event === undefined) throw missing("event", id)
    return event
  }

  /** Records an event about an object as it is now, and posts it. */
  tell(type: string, object: object): void {
    const event = this.objects.add({
      id: this.ids.mint("evt_1", "0", 14),
      object: "event",
      api_version: apiVersion,
      created: Math.floor(this.options.now() / 1000),
      data: { object: structuredClone(object) },
      livemode: false,
      pending_webhooks: 1,
      request: { ...this.cause },
      type
    } as Stripe.Event)
    if (subscribedEvents.includes(type)) this.post(event)
  }

  close(): void {
    this.sender.close()
  }

  private post(event: Stripe.Event): void {
    const hit = (name: (typeof signedWebhookFaults)[number]) => this.faults.hit([name], { operation: "webhook" })
    if (hit("lost_webhook")) return
    const body = Buffer.from(JSON.stringify(event, null, 2))
    const secret = hit("bad_signature") ? "whsec_not_the_secret" : this.options.webhookSecret
    const ageMs = hit("stale_webhook") ? staleMs : 0
    const what: Outgoing = { body, headers: () => signature(secret, this.options.now() - ageMs, body) }
    const delay = hit("delay_webhook")?.value
    if (delay !== undefined) this.timers.after(delay, () => this.sender.send(what))
    else if (this.overtaken === undefined && hit("reorder_webhooks")) this.overtake(what)
    else this.send(what)
    if (hit("duplicate_webhook")) this.sender.send(what)
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

/** Returns the headers of a webhook at an instant in epoch milliseconds. */
const signature = (secret: string, at: number, body: Uint8Array): Readonly<Record<string, string>> => {
  const t = Math.floor(at / 1000)
  const v1 = createHmac("sha256", secret).update(`${t}.`).update(body).digest("hex")
  return {
    "content-type": "application/json; charset=utf-8",
    "stripe-signature": `t=${t},v1=${v1}`,
    "user-agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)"
  }
}
