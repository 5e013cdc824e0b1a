import type Stripe from "stripe"
import { standardLandingMs } from "../../kit/Landings.ts"
import type { Fields } from "../wire/Fields.ts"
import { Ids } from "../wire/Ids.ts"
import { invalid, missing, Refusal } from "../wire/Refusal.ts"
import type { Collections } from "./Collections.ts"
import type { Customers } from "./Customers.ts"
import { amountOf, type Confirmation, canRedirect, confirmationOf } from "./IntentParameters.ts"
import type { PaymentMethods } from "./PaymentMethods.ts"
import { type Decline, declineOf, type TestCard } from "./TestCards.ts"
import { Objects, secondsOf, type World } from "./World.ts"

const authenticationRequired: Decline & { readonly code: "card_declined" } = {
  code: "card_declined",
  decline_code: "authentication_required",
  message: "Your card was declined. This transaction requires authentication."
}

/**
 * Payments of cards. `processing` leaves a payment undecided for `value` milliseconds, `declined` declines it, and
 * `pays_after_decline` collects a declined one after `value` milliseconds.
 */
export class PaymentIntents {
  readonly objects: Objects<Stripe.PaymentIntent>
  /** Payments that were begun without the cardholder. */
  private readonly offSession = new Set<string>()
  private readonly redirecting = new Set<string>()
  private readonly world: World
  private readonly customers: Customers
  private readonly methods: PaymentMethods
  private readonly collections: Collections
  private readonly disputeOf: (charge: Stripe.Charge) => void

  constructor(
    world: World,
    customers: Customers,
    methods: PaymentMethods,
    collections: Collections,
    disputeOf: (charge: Stripe.Charge) => void
  ) {
    this.world = world
    this.customers = customers
    this.methods = methods
    this.collections = collections
    this.disputeOf = disputeOf
    this.objects = new Objects(world.now)
  }

  isOffSession(id: string): boolean {
    return this.offSession.has(id)
  }

  require(id: string, param = "id"): Stripe.PaymentIntent {
    const intent = this.objects.get(id)
    if (intent === undefined) throw missing("payment_intent", id, param)
    return intent
  }

  /** Makes a payment intent, and confirms it when the call says so. */
  create(fields: Fields): Stripe.PaymentIntent {
    const amount = amountOf(fields)
    const customer = fields.text("customer")
    if (customer !== null) this.customers.require(customer, "customer")
    const confirms = fields.flag("confirm") === true
    for (const name of ["off_session", "return_url", "error_on_requires_action"]) {
      if (fields.has(name) && !confirms) {
        throw invalid(
          `The parameter \`${name}\` cannot be passed when creating a PaymentIntent unless confirm=true.`,
          name
        )
      }
    }
    const confirmation = confirms ? confirmationOf(fields, canRedirect(fields)) : undefined
    const method = fields.text("payment_method")
    if (method !== null) this.methods.payable(method, customer)
    if (confirmation !== undefined && method === null) throw noMethod()
    const id = this.world.ids.mint("pi_3", "0", 14)
    const intent = this.objects.add({
      ...empty(id, amount, secondsOf(this.world)),
      automatic_payment_methods: methodsOf(fields),
      customer,
      description: fields.text("description"),
      metadata: fields.metadata(),
      payment_method: method,
      receipt_email: fields.text("receipt_email"),
      setup_future_usage: fields.oneOf("setup_future_usage", ["off_session", "on_session"]),
      status: method === null ? "requires_payment_method" : "requires_confirmation"
    })
    if (canRedirect(fields)) this.redirecting.add(id)
    this.world.tell("payment_intent.created", intent)
    return confirmation === undefined ? intent : this.confirm(intent, confirmation)
  }

  /** Confirms a payment intent by a call of the account or of the cardholder's browser. */
  confirmBy(intent: Stripe.PaymentIntent, fields: Fields): Stripe.PaymentIntent {
    return this.confirm(intent, confirmationOf(fields, this.redirecting.has(intent.id)))
  }

  cancel(intent: Stripe.PaymentIntent, reason: string | null): Stripe.PaymentIntent {
    if (["succeeded", "canceled", "processing"].includes(intent.status)) throw unexpected("cancel", intent)
    intent.status = "canceled"
    intent.canceled_at = secondsOf(this.world)
    intent.cancellation_reason = reason
    intent.next_action = null
    this.world.tell("payment_intent.canceled", intent)
    return intent
  }

  /** Ends the wait for the cardholder. */
  authenticate(intent: Stripe.PaymentIntent, isProven: boolean): void {
    if (intent.status !== "requires_action") return
    intent.next_action = null
    const card = this.cardOf(intent)
    if (isProven) this.collect(intent, card)
    else {
      const message =
        "The provided PaymentMethod has failed authentication. You can provide payment_method_data or a new " +
        "PaymentMethod to attempt to fulfill this PaymentIntent again."
      this.fail(intent, { type: "invalid_request_error", code: "payment_intent_authentication_failure", message })
    }
  }

  /** Collects a payment that was declined. */
  payLate(intent: Stripe.PaymentIntent): void {
    if (intent.status !== "requires_payment_method" || intent.last_payment_error === null) return
    intent.payment_method ??= lastMethod(intent)
    this.collect(intent, this.cardOf(intent))
  }

  private confirm(intent: Stripe.PaymentIntent, confirmation: Confirmation): Stripe.PaymentIntent {
    if (!["requires_payment_method", "requires_confirmation", "requires_action"].includes(intent.status)) {
      throw unexpected("confirm", intent)
    }
    const customer = typeof intent.customer === "string" ? intent.customer : null
    const id = confirmation.method ?? (typeof intent.payment_method === "string" ? intent.payment_method : null)
    if (id === null) throw noMethod()
    const card = this.methods.payable(id, customer)
    intent.payment_method = id
    if (confirmation.isOffSession) this.offSession.add(intent.id)
    const processing = this.world.faults.hit(["processing"], { operation: "charge" })
    if (processing === undefined) return this.settle(intent, card, confirmation)
    intent.status = "processing"
    this.world.tell("payment_intent.processing", intent)
    this.world.later(processing.value ?? 500, () => {
      try {
        this.settle(intent, card, confirmation)
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal
      }
    })
    return intent
  }

  private settle(intent: Stripe.PaymentIntent, card: TestCard, confirmation: Confirmation): Stripe.PaymentIntent {
    const isDeclined = this.world.faults.hit(["declined"], { operation: "charge" }) !== undefined
    const decline = isDeclined ? declineOf("insufficient_funds", "Your card has insufficient funds.") : card.decline
    if (decline !== null) throw this.decline(intent, card, decline)
    if (card.behaviour === "authentication" && (confirmation.isOffSession || confirmation.refusesAction)) {
      throw this.decline(intent, card, authenticationRequired)
    }
    if (card.behaviour === "authentication") return this.await(intent, confirmation.returnUrl)
    return this.collect(intent, card)
  }

  private await(intent: Stripe.PaymentIntent, returnUrl: string | null): Stripe.PaymentIntent {
    const url = `${this.world.origin()}/authenticate/${intent.client_secret}`
    intent.status = "requires_action"
    // Without a way back, Stripe leaves the authentication to its script in the browser.
    intent.next_action =
      returnUrl === null
        ? { type: "use_stripe_sdk", use_stripe_sdk: { type: "three_d_secure_redirect", stripe_js: url } }
        : { type: "redirect_to_url", redirect_to_url: { return_url: returnUrl, url } }
    this.world.tell("payment_intent.requires_action", intent)
    return intent
  }

  private collect(intent: Stripe.PaymentIntent, card: TestCard): Stripe.PaymentIntent {
    const method = String(intent.payment_method)
    const charge = this.collections.attempt(intent, method, card, null)
    intent.status = "succeeded"
    intent.amount_received = intent.amount
    intent.last_payment_error = null
    intent.next_action = null
    this.world.tell("payment_intent.succeeded", intent)
    if (card.isDisputed) this.disputeOf(charge)
    return intent
  }

  private decline(intent: Stripe.PaymentIntent, card: TestCard, decline: Decline): Refusal {
    const method = String(intent.payment_method)
    const charge = this.collections.attempt(intent, method, card, decline)
    const isAuthentication = decline.decline_code === "authentication_required"
    const error = {
      ...decline,
      charge: charge.id,
      code: isAuthentication ? ("authentication_required" as const) : decline.code,
      payment_method: this.methods.require(method),
      type: "card_error" as const
    }
    this.fail(intent, error)
    const late = this.world.faults.hit(["pays_after_decline"], { operation: "charge" })
    if (late !== undefined) this.world.later(late.value ?? standardLandingMs, () => this.payLate(intent))
    const { decline_code } = decline
    return new Refusal(402, { ...error, payment_intent: structuredClone(intent) }, "failed", {
      id: intent.id,
      status: "failed",
      decline_code
    })
  }

  private fail(intent: Stripe.PaymentIntent, error: Stripe.PaymentIntent.LastPaymentError): void {
    intent.last_payment_error = { ...error, payment_method: this.methods.require(String(intent.payment_method)) }
    intent.status = "requires_payment_method"
    intent.payment_method = null
    this.world.tell("payment_intent.payment_failed", intent)
  }

  private cardOf(intent: Stripe.PaymentIntent): TestCard {
    const card = this.methods.cardOf(String(intent.payment_method))
    if (card === undefined) throw missing("PaymentMethod", String(intent.payment_method), "payment_method")
    return card
  }
}

const lastMethod = ({ last_payment_error }: Stripe.PaymentIntent): string | null =>
  last_payment_error?.payment_method?.id ?? null

const methodsOf = (fields: Fields): Stripe.PaymentIntent.AutomaticPaymentMethods => ({
  allow_redirects: fields.record("automatic_payment_methods").allow_redirects === "never" ? "never" : "always",
  enabled: true
})

const noMethod = () =>
  invalid(
    "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the " +
      "PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment " +
      "method.",
    "payment_method",
    "payment_intent_unexpected_state"
  )

const unexpected = (verb: string, intent: Stripe.PaymentIntent) =>
  new Refusal(
    400,
    {
      code: "payment_intent_unexpected_state",
      message: `You cannot ${verb} this PaymentIntent because it has a status of ${intent.status}.`,
      payment_intent: structuredClone(intent),
      type: "invalid_request_error"
    },
    "invalid_request",
    { id: intent.id }
  )

const empty = (id: string, amount: number, created: number): Stripe.PaymentIntent => ({
  id,
  object: "payment_intent",
  allowed_payment_method_types: null,
  amount,
  amount_capturable: 0,
  amount_details: { tip: {} },
  amount_received: 0,
  application: null,
  application_fee_amount: null,
  automatic_payment_methods: null,
  canceled_at: null,
  cancellation_reason: null,
  capture_method: "automatic_async",
  client_secret: `${id}_secret_${Ids.secret()}`,
  confirmation_method: "automatic",
  created,
  currency: "brl",
  customer: null,
  customer_account: null,
  description: null,
  excluded_payment_method_types: null,
  last_payment_error: null,
  latest_charge: null,
  livemode: false,
  managed_payments: null,
  metadata: {},
  next_action: null,
  on_behalf_of: null,
  payment_method: null,
  payment_method_configuration_details: null,
  payment_method_options: null,
  payment_method_types: ["card"],
  payment_record: null,
  processing: null,
  receipt_email: null,
  review: null,
  setup_future_usage: null,
  shipping: null,
  source: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
  status: "requires_payment_method",
  transfer_data: null,
  transfer_group: null
})
