import type Stripe from "stripe"
import { invalid, missing, Refusal } from "../wire/Refusal.ts"
import type { Customers } from "./Customers.ts"
import { cardByMark, sharedCardOf, stripeCardOf, type TestCard } from "./TestCards.ts"
import { Objects, secondsOf, type World } from "./World.ts"

/**
 * Saved cards. A shared card such as `pm_card_ok` has one id for all customers who hold it; any other belongs to one
 * customer at most, and is used up once it is detached.
 */
export class PaymentMethods {
  readonly objects: Objects<Stripe.PaymentMethod>
  /** Shared cards by customer: true while attached, false once detached. */
  private readonly held = new Map<string, Map<string, boolean>>()
  private readonly detached = new Set<string>()
  private readonly world: World
  private readonly customers: Customers

  constructor(world: World, customers: Customers) {
    this.world = world
    this.customers = customers
    this.objects = new Objects(world.now)
  }

  /** Returns the card of an id; undefined for an id that is unknown. */
  cardOf(id: string): TestCard | undefined {
    return sharedCardOf(id) ?? stripeCardOf(id) ?? cardByMark(this.world.ids.markOf("pm_1", id) ?? "")
  }

  /** Returns a payment method as a read shows it: a shared card without any customer. */
  require(id: string, param = "id"): Stripe.PaymentMethod {
    const known = this.objects.get(id)
    if (known !== undefined) return known
    const card = this.cardOf(id)
    if (card === undefined) throw missing("PaymentMethod", id, param)
    return shown(id, card, secondsOf(this.world), null)
  }

  /** Returns the cards of a customer, oldest first. */
  of(customer: string): ReadonlyArray<Stripe.PaymentMethod> {
    const shared = [...(this.held.get(customer) ?? [])].filter(([, isHeld]) => isHeld)
    return [
      ...shared.map(([id]) => ({ ...this.require(id), customer })),
      ...this.objects.list.filter((one) => one.customer === customer)
    ]
  }

  attach(id: string, customer: string): Stripe.PaymentMethod {
    const method = this.require(id)
    this.customers.require(customer, "customer")
    const card = this.cardOf(id) as TestCard
    if (card.decline !== null && !card.isAttachable) {
      throw new Refusal(402, { ...card.decline, type: "card_error" }, "card_declined", { id, customer })
    }
    if (this.detached.has(id)) throw usedUp()
    if (method.customer !== null && method.customer !== customer) {
      throw invalid("The payment method you provided has already been attached to a customer.", "payment_method")
    }
    if (sharedCardOf(id) === undefined)
      return this.give(stripeCardOf(id) === undefined ? method : this.mint(card), customer)
    const held = this.held.get(customer) ?? new Map<string, boolean>()
    this.held.set(customer, held.set(id, true))
    return this.told("payment_method.attached", { ...method, customer })
  }

  /** Makes a payment method of a card, attached to a customer. */
  collect(card: TestCard, customer: string | null): Stripe.PaymentMethod {
    const method = this.mint(card)
    return customer === null ? method : this.give(method, customer)
  }

  detach(id: string): Stripe.PaymentMethod {
    const method = this.require(id)
    if (sharedCardOf(id) !== undefined) return this.letGo(method)
    const earlier = this.objects.get(id) === undefined && stripeCardOf(id) === undefined
    if (method.customer === null && !earlier) throw notAttached()
    if (this.detached.has(id)) throw notAttached()
    this.detached.add(id)
    this.objects.add(method)
    method.customer = null
    return this.told("payment_method.detached", method)
  }

  /** Returns the card that a customer pays with; refuses a card that the customer does not hold. */
  payable(id: string, customer: string | null): TestCard {
    const card = this.cardOf(id)
    if (card === undefined) throw missing("PaymentMethod", id, "payment_method")
    if (stripeCardOf(id) !== undefined) return card
    if (this.detached.has(id)) throw usedUp()
    const isShared = sharedCardOf(id) !== undefined
    const known = this.objects.get(id)
    const holds = isShared
      ? (this.held.get(customer ?? "")?.get(id) ?? (customer !== null && this.customers.isOfEarlierRun(customer)))
      : known === undefined || known.customer === customer || known.customer === null
    if (holds) return card
    const message =
      `The customer does not have a payment method with the ID ${id}. The payment method must be attached to the ` +
      "customer."
    throw invalid(message, "payment_method", "resource_missing", "payment_method_not_attached")
  }

  /**
   * Detaches a shared card. Detaching names no customer: while several hold the card, each of them keeps it, and the
   * answer alone says that it is detached.
   */
  private letGo(method: Stripe.PaymentMethod): Stripe.PaymentMethod {
    const holders = [...this.held.values()].filter((cards) => cards.get(method.id) === true)
    if (holders.length === 0) throw notAttached()
    if (holders.length === 1) holders[0]?.set(method.id, false)
    return this.told("payment_method.detached", method)
  }

  private mint(card: TestCard): Stripe.PaymentMethod {
    const id = this.world.ids.mint("pm_1", card.mark, 14)
    return this.objects.add(shown(id, card, secondsOf(this.world), null))
  }

  private give(method: Stripe.PaymentMethod, customer: string): Stripe.PaymentMethod {
    if (method.customer === customer) return method
    if (this.objects.get(method.id) === undefined) this.objects.add(method)
    method.customer = customer
    return this.told("payment_method.attached", method)
  }

  private told(type: string, method: Stripe.PaymentMethod): Stripe.PaymentMethod {
    this.world.tell(type, method)
    return method
  }
}

const notAttached = () =>
  invalid("The payment method you provided is not attached to a customer so detachment is impossible.")

const usedUp = () =>
  invalid(
    "This PaymentMethod was previously used without being attached to a Customer or was detached from a Customer, and " +
      "may not be used again.",
    "payment_method",
    "payment_method_unexpected_state"
  )

const shown = (id: string, card: TestCard, created: number, customer: string | null): Stripe.PaymentMethod => ({
  id,
  object: "payment_method",
  allow_redisplay: "unspecified",
  billing_details: {
    address: { city: null, country: null, line1: null, line2: null, postal_code: null, state: null },
    email: null,
    name: null,
    phone: null,
    tax_id: null
  },
  card: {
    brand: card.brand,
    checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: "pass" },
    country: "BR",
    display_brand: card.brand,
    exp_month: 12,
    exp_year: 2034,
    fingerprint: `simulated${card.last4}${card.mark}`,
    funding: "credit",
    generated_from: null,
    last4: card.last4,
    networks: { available: [card.brand], preferred: null },
    regulated_status: "unregulated",
    three_d_secure_usage: { supported: true },
    wallet: null
  },
  created,
  customer,
  customer_account: null,
  livemode: false,
  metadata: {},
  type: "card"
})
