import { createHmac } from "node:crypto"
import type { CallLog } from "../kit/CallLog.ts"
import type { Faults } from "../kit/Faults.ts"
import { recordOf } from "../kit/Routes.ts"
import { type Outgoing, WebhookSender } from "../kit/Webhooks.ts"
import type { SimNumber, World } from "./World.ts"

/** A change of an account, as a webhook carries it. */
interface Change {
  readonly field: string
  readonly value: unknown
}

/** Statuses or messages of one number that wait for a webhook. */
interface Pending {
  readonly number: SimNumber
  readonly statuses: Array<unknown>
  /** The recipients of those statuses, by their id. */
  readonly recipients: Map<string, unknown>
  readonly messages: Array<{ readonly message: unknown; readonly contact: unknown }>
}

/** The most statuses in one webhook. */
const most = 50

/**
 * Returns a body as the platform writes it: only ASCII, with escapes in lower case, and a backslash before each slash.
 * The signature is over these bytes. U-SIM-01
 */
const escapedJson = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll("/", "\\/")
    .replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

/** Faults of webhooks. */
export const webhookFaults = [
  "duplicate_webhook",
  "replay_webhook",
  "reorder_statuses",
  "unknown_number",
  "bad_signature",
  "lost_webhook"
] as const

/** Posts changes to the product, signed, many in one body, and repeats each until it is accepted. */
export class Notices {
  private readonly pending = new Map<string, Pending>()
  private readonly changes: Array<{ readonly account: string; readonly change: Change }> = []
  private readonly sender: WebhookSender
  private readonly world: World
  private readonly faults: Faults
  private earlier: Outgoing | undefined

  constructor(world: World, log: CallLog, faults: Faults) {
    this.world = world
    this.faults = faults
    this.sender = new WebhookSender(
      () => this.next(),
      (what, status, attempt) => {
        log.add("webhook", { status, attempt, bytes: what.body.length, message_ids: what.about ?? [] })
        if (world.records) log.add("posted", { body: what.body.toString() })
      }
    )
  }

  /** Subscribes the product's receiver, once it proves that it has the verify token. */
  async subscribe(url: string): Promise<boolean> {
    const target = new URL(url)
    const challenge = String(Math.floor(this.world.options.now() % 1_000_000_007))
    target.searchParams.set("hub.mode", "subscribe")
    target.searchParams.set("hub.verify_token", this.world.options.verifyToken)
    target.searchParams.set("hub.challenge", challenge)
    const answer = await fetch(target).catch(() => undefined)
    const proven = answer?.status === 200 && (await answer.text()) === challenge
    if (proven) this.sender.aim(url)
    return proven
  }

  get url(): string | undefined {
    return this.sender.url?.href
  }

  /** Reports a status, with the entry of its recipient where the platform shows one. */
  status(number: SimNumber, status: unknown, contact?: { readonly user_id: string }): void {
    if (!this.world.hears(number.biz_account_id)) return
    const { recipients, statuses } = this.pendingOf(number)
    statuses.push(status)
    if (contact !== undefined) recipients.set(contact.user_id, contact)
    this.sender.wake()
  }

  message(number: SimNumber, message: unknown, contact: unknown): void {
    if (!this.world.hears(number.biz_account_id)) return
    this.pendingOf(number).messages.push({ message, contact })
    this.sender.wake()
  }

  change(account: string, field: string, value: unknown, entry = account): void {
    if (!this.world.hears(account)) return
    this.changes.push({ account: entry, change: { field, value } })
    this.sender.wake()
  }

  /** Reports a change that is about a number. */
  about(number: SimNumber, field: string, value: Readonly<Record<string, unknown>>): void {
    this.change(number.biz_account_id, field, { ...this.frame(number.id, number.display_phone_number), ...value })
  }

  close(): void {
    this.sender.close()
  }

  private pendingOf(number: SimNumber): Pending {
    let pending = this.pending.get(number.id)
    if (pending === undefined) {
      pending = { number, statuses: [], recipients: new Map(), messages: [] }
      this.pending.set(number.id, pending)
    }
    return pending
  }

  /** Returns the next body: changes of every number and account that has any. */
  private next(): Outgoing | undefined {
    const entries = new Map<string, Array<Change>>()
    const put = (account: string, change: Change) => {
      const list = entries.get(account)
      if (list === undefined) entries.set(account, [change])
      else list.push(change)
    }
    const about = new Set<string>()
    let left = most
    for (const [id, pending] of this.pending) {
      if (left <= 0) break
      const statuses = pending.statuses.splice(0, left)
      for (const status of statuses) {
        const { biz_opaque_callback_data: id } = recordOf(status)
        if (typeof id === "string") about.add(id)
      }
      if (this.faults.hit(["reorder_statuses"], { operation: "webhook" })) statuses.reverse()
      const messages = pending.messages.splice(0, left)
      left -= statuses.length + messages.length
      const recipients = [...pending.recipients.values()]
      pending.recipients.clear()
      for (const value of this.values(pending.number, statuses, recipients, messages)) {
        put(pending.number.biz_account_id, { field: "messages", value })
      }
      if (pending.statuses.length + pending.messages.length === 0) this.pending.delete(id)
    }
    for (const { account, change } of this.changes.splice(0, Math.max(0, left))) put(account, change)
    if (entries.size === 0) return undefined
    if (this.faults.hit(["unknown_number"], { operation: "webhook" })) {
      const value = { ...this.frame("0", "0"), statuses: [{ id: "mid.unknown", status: "sent", timestamp: "1" }] }
      for (const list of entries.values()) list.unshift({ field: "messages", value })
    }
    const time = Math.floor(this.world.options.now() / 1000)
    return this.signed(
      escapedJson({
        object: "whatsapp_business_account",
        entry: [...entries].map(([id, changes]) => ({ id, time, changes }))
      }),
      [...about]
    )
  }

  private *values(
    number: SimNumber,
    statuses: ReadonlyArray<unknown>,
    recipients: ReadonlyArray<unknown>,
    messages: Pending["messages"]
  ) {
    const frame = this.frame(number.id, number.display_phone_number)
    if (statuses.length > 0) yield { ...frame, ...(recipients.length === 0 ? {} : { contacts: recipients }), statuses }
    for (const { contact, message } of messages) {
      yield { ...frame, ...(contact === undefined ? {} : { contacts: [contact] }), messages: [message] }
    }
  }

  private frame(phone_number_id: string, display_phone_number: string) {
    return {
      messaging_product: "whatsapp",
      metadata: { display_phone_number: display_phone_number.replace(/^\+/, ""), phone_number_id }
    }
  }

  private signed(text: string, about: ReadonlyArray<string>): Outgoing | undefined {
    const body = Buffer.from(text)
    const bad = this.faults.hit(["bad_signature"], { operation: "webhook" })
    const signature = createHmac("sha256", bad ? "not the secret" : this.world.options.appSecret)
      .update(body)
      .digest("hex")
    const what = { body, headers: { "x-hub-signature-256": `sha256=${signature}` }, about }
    if (this.faults.hit(["lost_webhook"], { operation: "webhook" })) return this.next()
    if (this.faults.hit(["duplicate_webhook"], { operation: "webhook" })) this.sender.send(what)
    if (this.earlier !== undefined && this.faults.hit(["replay_webhook"], { operation: "webhook" })) {
      this.sender.send(this.earlier)
    }
    this.earlier = what
    return what
  }
}
