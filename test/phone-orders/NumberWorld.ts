import { UpstreamPlatform } from "@carteiro/provider/ChatPlatform.ts"
import type { ChatCall } from "@carteiro/provider/ChatProvider.ts"
import type { NumberAccount, NumberCall, ProviderOrder } from "@carteiro/provider/NumberProvider.ts"
import { Numprov } from "@carteiro/provider/NumberProvider.ts"
import type { NumberRegistrar } from "@carteiro/provider/NumberRegistration.ts"
import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { connectionOf, notSent } from "../support/Chat.ts"

/**
 * The ways in which a call can fail: lost before or after its effect, delayed until the test delivers it, or refused.
 */
type Mishap = "lost" | "lost_after" | "late" | "refused"

/** The operations of the vendors. */
export type Operation =
  | "order"
  | "find"
  | "read"
  | "release"
  | "list"
  | "add"
  | "request_code"
  | "verify_code"
  | "register"

interface Ordered {
  readonly id: string
  readonly external_id: string
  status: "pending" | "active" | "failed"
  number: string | null
  number_id: string | null
  readonly error: null
}

interface Registered {
  readonly upstream_phone_number_id: string
  code: string | null
  is_verified: boolean
  is_registered: boolean
}

const lost = { _tag: "Unknown", retry_after_ms: null } as const
const failed = { _tag: "Failed", error: null } as const

/** A number provider and a chat platform without sockets, which behave as the test says and record their calls. */
export class NumberWorld {
  readonly asked: Array<readonly [operation: Operation, subject: string]> = []
  readonly orders = new Map<string, Ordered>()
  /** Whether each number is rented, by the provider's id. */
  readonly rented = new Map<string, boolean>()
  readonly registered = new Map<string, Registered>()
  /** The next failures, by operation. */
  readonly mishaps: Partial<Record<Operation, Array<Mishap>>> = {}
  /** The test's hook at a failing call, before the failure. */
  atMishap: Effect.Effect<void> = Effect.void
  /** The behaviour of orders: delivered at the first look-up, left open, or failed. */
  delivery: "comes" | "waits" | "fails" = "comes"
  /** The area code of delivered numbers; undefined for the ordered one. */
  area: string | undefined
  /** The code by which an order is refused. */
  refusal = "no_inventory"
  /** The hook after a code is sent to a phone. */
  sms: (phone: string, code: string) => Effect.Effect<void> = () => Effect.void
  private made = 0
  private onTheirWay: Array<() => void> = []

  readonly platform: NumberAccount = {
    read: Effect.succeed({ _tag: "Done", value: { id: "acc", name: "Ours" } }),
    available: () => Effect.succeed({ _tag: "Done", value: [] }),
    order: ({ ddd, external_id }) =>
      this.numprov("order", external_id, this.refusal, () => {
        const known = this.orders.get(external_id)
        if (known !== undefined) return known
        const order: Ordered = {
          id: `ord_${++this.made}`,
          external_id,
          status: "pending",
          number: null,
          number_id: null,
          error: null
        }
        this.orders.set(external_id, order)
        this.areas.set(order.id, ddd)
        return { ...order }
      }),
    orderById: (id) =>
      this.numprov("read", id, "not_found", () => this.settled([...this.orders.values()].find((one) => one.id === id))),
    findOrder: (external_id) =>
      this.numprov("find", external_id, "credentials_invalid", () => {
        const order = this.orders.get(external_id)
        return order === undefined ? null : this.settled(order)
      }),
    release: (id) => this.numprov("release", id, "account_suspended", () => void this.rented.set(id, false)),
    numbers: () => Effect.succeed({ _tag: "Done", value: { numbers: [], next: null } })
  }

  readonly registrar: NumberRegistrar = {
    find: (phone) =>
      this.upstream("list", phone, () => {
        const known = this.registered.get(phone)
        return known === undefined ? null : { ...known }
      }),
    add: ({ phone }) =>
      this.upstream("add", phone, () => {
        assert.isFalse(this.registered.has(phone), "added twice")
        const upstream_phone_number_id = `up_${++this.made}`
        this.registered.set(phone, { upstream_phone_number_id, code: null, is_verified: false, is_registered: false })
        return { upstream_phone_number_id }
      }),
    requestCode: (id) =>
      Effect.tap(
        this.upstream("request_code", id, () => void (this.at(id).code = String(100_000 + ++this.made))),
        () => {
          const [phone, { code }] = this.entry(id)
          return code === null ? Effect.void : this.sms(phone, code)
        }
      ),
    verifyCode: (id, code) =>
      Effect.suspend(() =>
        this.at(id).code === code
          ? this.upstream("verify_code", id, () => void (this.at(id).is_verified = true))
          : Effect.succeed<ChatCall<void>>({ _tag: "Refused", code: "upstream_rejected", error: null })
      ),
    register: (id, pin) => {
      assert.match(pin, /^\d{6}$/)
      return this.upstream("register", id, () => void (this.at(id).is_registered = true))
    }
  }

  /** Resets everything except the counter of ids. */
  reset(): void {
    this.asked.length = 0
    for (const known of [this.orders, this.rented, this.registered]) known.clear()
    for (const operation of Object.keys(this.mishaps)) delete this.mishaps[operation as Operation]
    this.delivery = "comes"
    this.area = undefined
    this.refusal = "no_inventory"
    this.atMishap = Effect.void
    this.onTheirWay = []
  }

  /** Delivers delayed calls. */
  land(): void {
    for (const run of this.onTheirWay.splice(0)) run()
  }

  private readonly areas = new Map<string, string>()

  /** The numbers that cost money. */
  get costs(): ReadonlyArray<string> {
    return [...this.rented].flatMap(([id, isRented]) => (isRented ? [id] : []))
  }

  /** The number of calls of an operation. */
  count(operation: Operation): number {
    return this.asked.filter(([one]) => one === operation).length
  }

  /** Delivers an open order, and returns the provider's id of its number. */
  deliver(order: Ordered): string {
    const number_id = `num_${++this.made}`
    order.status = "active"
    order.number = `+55${this.area ?? this.areas.get(order.id) ?? "11"}9${String(30_000_000 + ++this.made)}`
    order.number_id = number_id
    this.rented.set(number_id, true)
    return number_id
  }

  private settled(order: Ordered | undefined): ProviderOrder {
    if (order === undefined) return assert.fail("no such order")
    if (order.status === "pending" && this.delivery === "comes") this.deliver(order)
    if (order.status === "pending" && this.delivery === "fails") order.status = "failed"
    return { ...order, error: order.status === "failed" ? "no_inventory" : null }
  }

  private entry(id: string): [string, Registered] {
    return [...this.registered].find(([, one]) => one.upstream_phone_number_id === id) ?? assert.fail("no such number")
  }

  private at(id: string): Registered {
    return this.entry(id)[1]
  }

  private mishap(operation: Operation, subject: string): Effect.Effect<Mishap | undefined> {
    return Effect.suspend(() => {
      this.asked.push([operation, subject])
      const mishap = this.mishaps[operation]?.shift()
      return mishap === undefined ? Effect.succeed(mishap) : Effect.as(this.atMishap, mishap)
    })
  }

  private numprov<A>(operation: Operation, subject: string, code: string, run: () => A): Effect.Effect<NumberCall<A>> {
    return Effect.map(this.mishap(operation, subject), (mishap): NumberCall<A> => {
      if (mishap === "late") this.onTheirWay.push(run)
      if (mishap === "lost" || mishap === "late") return lost
      if (mishap === "refused") return { _tag: "Refused", code }
      const value = run()
      return mishap === "lost_after" ? lost : { _tag: "Done", value }
    })
  }

  private upstream<A>(operation: Operation, subject: string, run: () => A): Effect.Effect<ChatCall<A>> {
    return Effect.map(this.mishap(operation, subject), (mishap): ChatCall<A> => {
      if (mishap === "lost") return failed
      if (mishap === "refused") return { _tag: "Refused", code: "upstream_rejected", error: null } as const
      const value = run()
      return mishap === "lost_after" ? failed : ({ _tag: "Done", value } as const)
    })
  }
}

/** These vendors as the product's providers. */
export const vendorsOf = (world: NumberWorld) =>
  Layer.merge(
    Layer.succeed(Numprov, { platform: world.platform, of: () => world.platform }),
    Layer.succeed(UpstreamPlatform, {
      chat: () => connectionOf(() => Effect.succeed(notSent)).provider,
      media: () => ({ upload: () => Effect.succeed(failed), find: () => Effect.succeed(failed) }),
      health: () => ({ read: Effect.succeed(failed) }),
      templates: () => assert.fail("nobody asks for templates"),
      flows: () => assert.fail("nobody asks for flows"),
      groups: () => assert.fail("nobody asks for groups"),
      registrar: () => world.registrar
    })
  )
