import { randomUUID } from "node:crypto"
import type { Faults } from "../kit/Faults.ts"
import { Landings, standardLandingMs } from "../kit/Landings.ts"
import { type Call, jsonOf, ok, recordOf, type SimulatedAnswer } from "../kit/Routes.ts"
import type { SignedWebhooks } from "../kit/SignedWebhooks.ts"
import { type NumprovOptions, numprovError } from "./Vendor.ts"

/** A number of an account. */
export interface SimNumber {
  readonly number_id: string
  readonly number: string
  status: "active" | "suspended" | "released"
  readonly sms: boolean
}

interface SimOrder {
  readonly id: string
  readonly external_id: string
  readonly ddd: string
  status: "pending" | "active" | "failed"
  number: string | null
  number_id: string | null
  error: string | null
}

/** One customer of the provider, by its key. */
interface SimAccount {
  readonly id: string
  readonly name: string
  readonly isSuspended: boolean
  readonly numbers: Map<string, SimNumber>
  /** The webhooks of this account alone, if it asked for them. */
  readonly webhooks: SignedWebhooks | undefined
}

const monthlyPrice = 1990

/** Accounts, orders and numbers of a simulated provider. vendor-wires "numprov" */
export class Inventory {
  readonly accounts = new Map<string, SimAccount>()
  private readonly orders = new Map<string, SimOrder>()
  private readonly timers = new Set<NodeJS.Timeout>()
  private readonly options: NumprovOptions
  private readonly faults: Faults
  private readonly webhooks: SignedWebhooks
  private readonly landings: Landings
  private made = 0

  constructor(options: NumprovOptions, faults: Faults, webhooks: SignedWebhooks) {
    this.landings = new Landings(options.now)
    this.options = options
    this.faults = faults
    this.webhooks = webhooks
    this.account(options.apiKey, "acc_platform", "Platform")
  }

  account(key: string, id: string, name: string, isSuspended = false, webhooks?: SignedWebhooks): SimAccount {
    const present = this.accounts.get(key)
    const numbers = present?.numbers ?? new Map<string, SimNumber>()
    const account = { id, name, isSuspended, numbers, webhooks: webhooks ?? present?.webhooks }
    this.accounts.set(key, account)
    return account
  }

  addNumber(key: string, number: SimNumber): void {
    this.accounts.get(key)?.numbers.set(number.number_id, number)
  }

  available({ query }: Call): SimulatedAnswer {
    const ddd = query.get("ddd") ?? ""
    if (!/^\d\d$/.test(ddd)) return numprovError("invalid_request", "ddd")
    const limit = Math.min(100, Math.max(1, Number(query.get("limit") ?? 20)))
    const data = Array.from({ length: limit }, (_, n) => ({
      number: phone(ddd, this.made + n),
      ddd,
      monthly_price_centavos: monthlyPrice,
      sms: true
    }))
    return ok({ data })
  }

  /** Places an order; undefined when the call is left unanswered. */
  order(account: SimAccount, { body, response }: Call): SimulatedAnswer | undefined {
    const { ddd, external_id } = recordOf(jsonOf(body))
    if (typeof external_id !== "string" || typeof ddd !== "string" || !/^\d\d$/.test(ddd)) {
      return numprovError("invalid_request", "external_id and ddd")
    }
    if (this.landings.has(external_id))
      return numprovError("idempotency_key_in_use", "a call with this key is under way")
    const known = this.byExternalId(external_id)
    if (known !== undefined) return { status: 201, body: known }
    const late = this.faults.hit(["lands_late"], { operation: "order" })
    if (late !== undefined) {
      this.landings.later(external_id, late.value ?? standardLandingMs, () => this.take(account, external_id, ddd))
      response.destroy()
      return undefined
    }
    return { status: 201, body: { ...this.take(account, external_id, ddd) } }
  }

  private take(account: SimAccount, external_id: string, ddd: string): SimOrder {
    const order: SimOrder = {
      id: `ord_${randomUUID()}`,
      external_id,
      ddd,
      status: "pending",
      number: null,
      number_id: null,
      error: null
    }
    this.orders.set(order.id, order)
    const never = this.faults.hit(["never_delivered"], { operation: "order" })
    const late = this.faults.hit(["late_delivery"], { operation: "order" })?.value
    if (never === undefined) this.later(late ?? this.options.workMs, () => this.deliver(account, order))
    return order
  }

  orderById({ places: [id = ""] }: Call): SimulatedAnswer {
    const order = this.orders.get(id)
    return order === undefined ? numprovError("not_found") : ok(order)
  }

  orderList({ query }: Call): SimulatedAnswer {
    this.landings.landDue()
    const order = this.byExternalId(query.get("external_id") ?? "")
    const isUnfiltered = this.faults.hit(["unfiltered_lookup"], { operation: "order_lookup" }) !== undefined
    const others = isUnfiltered ? [...this.orders.values()].filter((one) => one !== order) : undefined
    return ok({ data: others ?? (order === undefined ? [] : [order]) })
  }

  list(account: SimAccount, { query }: Call): SimulatedAnswer {
    const from = Number(query.get("cursor") ?? 0)
    const limit = Math.min(100, Math.max(1, Number(query.get("limit") ?? 20)))
    const all = [...account.numbers.values()]
    const next = from + limit < all.length ? String(from + limit) : null
    return ok({ data: all.slice(from, from + limit), next_cursor: next })
  }

  release(account: SimAccount, { places: [id = ""] }: Call): SimulatedAnswer {
    const number = account.numbers.get(id)
    if (number === undefined) return numprovError("not_found")
    number.status = "released"
    return { status: 202, body: { number_id: id, status: "released" } }
  }

  /** Delivers an incoming message to a number, such as a verification code. */
  sms(to: string, text: string, from = "+15550000000"): boolean {
    for (const { numbers, webhooks = this.webhooks } of this.accounts.values()) {
      const number = [...numbers.values()].find((one) => one.number === to || one.number_id === to)
      if (number === undefined) continue
      webhooks.tell("sms.received", { number_id: number.number_id, from, to: number.number, text })
      return true
    }
    return false
  }

  close(): void {
    this.landings.close()
    for (const timer of this.timers) clearTimeout(timer)
    for (const { webhooks } of this.accounts.values()) webhooks?.close()
  }

  private deliver(account: SimAccount, order: SimOrder): void {
    const fails = this.faults.hit(["order_fails"], { operation: "order" })
    if (fails !== undefined) {
      order.status = "failed"
      order.error = "no_inventory"
    } else {
      order.number = phone(order.ddd, this.made++)
      order.number_id = `num_${randomUUID()}`
      order.status = "active"
      account.numbers.set(order.number_id, {
        number_id: order.number_id,
        number: order.number,
        status: "active",
        sms: true
      })
    }
    const { external_id, id, status } = order
    this.webhooks.tell("order.updated", { id, external_id, status })
  }

  private byExternalId(external_id: string): SimOrder | undefined {
    return [...this.orders.values()].find((order) => order.external_id === external_id)
  }

  private later(ms: number, then: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer)
      then()
    }, ms)
    this.timers.add(timer)
  }
}

/** Returns a fictitious mobile number. */
const phone = (ddd: string, n: number): string => `+55${ddd}9${String(10_000_000 + n).padStart(8, "0")}`
