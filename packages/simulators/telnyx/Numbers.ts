import { randomUUID } from "node:crypto"
import type { Faults } from "../kit/Faults.ts"
import { Timers } from "../kit/Timers.ts"
import type { Ed25519Webhooks } from "./Ed25519Webhooks.ts"
import type { TelnyxAccount, TelnyxNumber, TelnyxOrder } from "./TelnyxAccount.ts"
import { orderView } from "./TelnyxViews.ts"

/** The settings that numbers need. */
export interface NumbersOptions {
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Milliseconds from an order to its numbers. */
  readonly workMs: number
}

/** The most numbers that a search shows. */
const mostNumbers = 250

/** Accounts, orders and numbers of a simulated Telnyx. */
export class Numbers {
  readonly accounts = new Map<string, TelnyxAccount>()
  private readonly orders = new Map<string, TelnyxOrder>()
  private readonly sold = new Set<string>()
  private readonly timers = new Timers()
  private readonly options: NumbersOptions
  private readonly faults: Faults
  private readonly webhooks: Ed25519Webhooks

  constructor(options: NumbersOptions, faults: Faults, webhooks: Ed25519Webhooks) {
    this.options = options
    this.faults = faults
    this.webhooks = webhooks
  }

  setUp(
    account: Pick<TelnyxAccount, "key" | "id" | "name" | "isSuspended">,
    webhooks?: Ed25519Webhooks
  ): TelnyxAccount {
    const before = this.accounts.get(account.key)
    const numbers = before?.numbers ?? new Map<string, TelnyxNumber>()
    const whole = { ...account, numbers, webhooks: webhooks ?? before?.webhooks }
    this.accounts.set(account.key, whole)
    return whole
  }

  add(account: TelnyxAccount, number: TelnyxNumber): void {
    account.numbers.set(number.id, number)
    this.sold.add(number.phoneNumber)
  }

  /** Returns numbers of an area that were not sold; those that end with an odd digit take calls alone. */
  available(area: string, limit: number, needsSms: boolean): ReadonlyArray<Pick<TelnyxNumber, "phoneNumber" | "sms">> {
    if (this.faults.hit(["no_numbers"], { operation: "available" }) !== undefined) return []
    const isVoiceOnly = this.faults.hit(["voice_only"], { operation: "available" }) !== undefined
    const found: Array<Pick<TelnyxNumber, "phoneNumber" | "sms">> = []
    // Twice the sold ones and the most of a page is more than enough.
    const last = 2 * (this.sold.size + mostNumbers)
    for (let at = 0; at <= last && found.length < Math.min(limit, mostNumbers); at++) {
      const phoneNumber = `+55${area}9${10_000_000 + at}`
      const sms = !isVoiceOnly && isWithSms(phoneNumber)
      if (!this.sold.has(phoneNumber) && (sms || !needsSms)) found.push({ phoneNumber, sms })
    }
    return found
  }

  /** True for a number that can be ordered now. */
  isFree(phoneNumber: string): boolean {
    return /^\+55\d{11}$/.test(phoneNumber) && !this.sold.has(phoneNumber)
  }

  /** Places an order, which is decided after a while. */
  order(
    account: TelnyxAccount,
    phoneNumbers: ReadonlyArray<string>,
    more: Pick<TelnyxOrder, "customerReference" | "messagingProfileId" | "connectionId">
  ): TelnyxOrder {
    const { now, workMs } = this.options
    const order: TelnyxOrder = {
      ...more,
      id: randomUUID(),
      account,
      phoneNumbers: phoneNumbers.map((phoneNumber) => ({ id: randomUUID(), phoneNumber })),
      createdAt: now(),
      updatedAt: now(),
      status: "pending"
    }
    for (const phoneNumber of phoneNumbers) this.sold.add(phoneNumber)
    this.orders.set(order.id, order)
    const never = this.faults.hit(["never_delivered"], { operation: "order" })
    const late = this.faults.hit(["late_delivery"], { operation: "order" })?.value
    if (never === undefined) this.timers.after(late ?? workMs, () => this.decide(order))
    return order
  }

  orderOf(account: TelnyxAccount, id: string): TelnyxOrder | undefined {
    const order = this.orders.get(id)
    return order?.account.key === account.key ? order : undefined
  }

  ordersOf(account: TelnyxAccount): ReadonlyArray<TelnyxOrder> {
    return [...this.orders.values()].filter((order) => order.account.key === account.key)
  }

  /** Returns a number of an account by its id or the number itself, which the vendor takes too. */
  numberOf({ numbers }: TelnyxAccount, name: string): TelnyxNumber | undefined {
    return numbers.get(name) ?? [...numbers.values()].find(({ phoneNumber }) => phoneNumber === name)
  }

  /** Gives a number back; the account's list shows it no more. */
  release({ numbers }: TelnyxAccount, number: TelnyxNumber): void {
    number.status = "deleted"
    numbers.delete(number.id)
  }

  /** Delivers an incoming message to a number, such as a verification code; undefined for a number of no account. */
  sms(to: string, text: string, from = "+15550000000"): Promise<void> | undefined {
    for (const account of this.accounts.values()) {
      const number = this.numberOf(account, to)
      if (number?.sms !== true) continue
      const at = new Date(this.options.now()).toISOString()
      return (account.webhooks ?? this.webhooks).tell("message.received", {
        id: randomUUID(),
        cc: [],
        completed_at: null,
        cost: { amount: "0.0000", currency: "USD" },
        direction: "inbound",
        encoding: "GSM-7",
        errors: [],
        from: { carrier: "", line_type: "", phone_number: from },
        media: [],
        messaging_profile_id: number.messagingProfileId ?? "",
        organization_id: account.id,
        parts: 1,
        received_at: at,
        record_type: "message",
        sent_at: null,
        tags: [],
        text,
        to: [{ carrier: "", line_type: "", phone_number: number.phoneNumber, status: "webhook_delivered" }],
        type: "SMS",
        valid_until: null,
        webhook_failover_url: null,
        webhook_url: null
      })
    }
    return undefined
  }

  close(): void {
    this.timers.close()
    for (const { webhooks } of this.accounts.values()) webhooks?.close()
  }

  private decide(order: TelnyxOrder): void {
    const { account, customerReference, messagingProfileId, phoneNumbers } = order
    const fails = this.faults.hit(["order_fails"], { operation: "order" }) !== undefined
    order.status = fails ? "failure" : "success"
    order.updatedAt = this.options.now()
    if (!fails) {
      for (const { phoneNumber } of phoneNumbers) {
        this.add(account, {
          // A number's own id is another than that of its place in the order.
          id: String(BigInt(`0x${randomUUID().replaceAll("-", "").slice(0, 15)}`)),
          phoneNumber,
          sms: isWithSms(phoneNumber),
          purchasedAt: this.options.now(),
          customerReference,
          status: "active",
          messagingProfileId
        })
      }
    }
    void (account.webhooks ?? this.webhooks).tell("number_order.complete", orderView(order))
  }
}

/** True for a number that takes messages too. */
const isWithSms = (phoneNumber: string): boolean => Number(phoneNumber.at(-1)) % 2 === 0
