import type Stripe from "stripe"
import { missing } from "../wire/Refusal.ts"
import type { Decline, TestCard } from "./TestCards.ts"
import { Objects, secondsOf, type World } from "./World.ts"

/** The charges that payment intents make: one for each attempt to collect. */
export class Collections {
  readonly objects: Objects<Stripe.Charge>
  private readonly world: World

  constructor(world: World) {
    this.world = world
    this.objects = new Objects(world.now)
  }

  require(id: string, param = "id"): Stripe.Charge {
    const charge = this.objects.get(id)
    if (charge === undefined) throw missing("charge", id, param)
    return charge
  }

  /** Records an attempt to collect a payment intent from a card. */
  attempt(intent: Stripe.PaymentIntent, method: string, card: TestCard, decline: Decline | null): Stripe.Charge {
    const id = this.world.ids.mint("ch_3", "0", 14)
    const charge = this.objects.add({
      ...details(id, card),
      amount: intent.amount,
      amount_captured: decline === null ? intent.amount : 0,
      balance_transaction: decline === null ? this.world.ids.mint("txn_3", "0", 14) : null,
      captured: decline === null,
      created: secondsOf(this.world),
      customer: intent.customer,
      description: intent.description,
      failure_code: decline?.code ?? null,
      failure_message: decline?.message ?? null,
      metadata: { ...intent.metadata },
      outcome: outcomeOf(decline),
      paid: decline === null,
      payment_intent: intent.id,
      payment_method: method,
      status: decline === null ? "succeeded" : "failed"
    })
    intent.latest_charge = id
    this.world.tell(decline === null ? "charge.succeeded" : "charge.failed", charge)
    return charge
  }
}

const outcomeOf = (decline: Decline | null): Stripe.Charge.Outcome => ({
  advice_code: decline === null ? null : "try_again_later",
  network_advice_code: null,
  network_decline_code: null,
  network_status: decline === null ? "approved_by_network" : "declined_by_network",
  reason: decline?.decline_code ?? null,
  risk_level: "normal",
  risk_score: 12,
  seller_message: decline === null ? "Payment complete." : "The bank did not approve the payment.",
  type: decline === null ? "authorized" : "issuer_declined"
})

type Detailed = Omit<
  Stripe.Charge,
  | "amount_captured"
  | "balance_transaction"
  | "captured"
  | "failure_code"
  | "failure_message"
  | "outcome"
  | "paid"
  | "payment_intent"
  | "payment_method"
  | "status"
>

const details = (id: string, card: TestCard): Detailed => ({
  id,
  object: "charge",
  amount: 0,
  amount_refunded: 0,
  application: null,
  application_fee: null,
  application_fee_amount: null,
  billing_details: {
    address: { city: null, country: null, line1: null, line2: null, postal_code: null, state: null },
    email: null,
    name: null,
    phone: null,
    tax_id: null
  },
  calculated_statement_descriptor: null,
  created: 0,
  currency: "brl",
  customer: null,
  description: null,
  disputed: false,
  failure_balance_transaction: null,
  fraud_details: {},
  livemode: false,
  metadata: {},
  on_behalf_of: null,
  payment_method_details: { card: cardDetails(card), type: "card" },
  receipt_email: null,
  receipt_number: null,
  receipt_url: null,
  refunded: false,
  review: null,
  shipping: null,
  source: null,
  source_transfer: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
  transfer_data: null,
  transfer_group: null
})

const cardDetails = (card: TestCard): Stripe.Charge.PaymentMethodDetails.Card => ({
  amount_authorized: null,
  authorization_code: null,
  brand: card.brand,
  checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: "pass" },
  country: "BR",
  electronic_commerce_indicator: null,
  exp_month: 12,
  exp_year: 2034,
  extended_authorization: { status: "disabled" },
  fingerprint: `simulated${card.last4}${card.mark}`,
  funding: "credit",
  incremental_authorization: { status: "unavailable" },
  installments: null,
  last4: card.last4,
  mandate: null,
  multicapture: { status: "unavailable" },
  network: card.brand,
  network_token: { used: false },
  network_transaction_id: null,
  overcapture: { maximum_amount_capturable: 0, status: "unavailable" },
  regulated_status: "unregulated",
  three_d_secure: null,
  transaction_link_id: null,
  wallet: null
})
