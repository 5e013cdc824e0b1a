import type Stripe from "stripe"
import type { Fields } from "../wire/Fields.ts"
import { invalid, missing } from "../wire/Refusal.ts"
import type { Collections } from "./Collections.ts"
import type { PaymentIntents } from "./PaymentIntents.ts"
import type { PaymentMethods } from "./PaymentMethods.ts"
import { Objects, secondsOf, type World } from "./World.ts"

/** The parameters of a new refund. */
export const refundParameters = [
  ..."amount charge currency customer expand instructions_email metadata origin payment_intent reason".split(" "),
  ..."refund_application_fee reverse_transfer".split(" ")
]

const reasons = ["duplicate", "fraudulent", "requested_by_customer"] as const

/** Milliseconds after which a pending refund ends, unless a fault or the control route says otherwise. */
const pendingMs = 1000

/** Refunds of charges. `refund_pending` leaves one open for `value` milliseconds, and `refund_fails` fails one. */
export class Refunds {
  readonly objects: Objects<Stripe.Refund>
  private readonly world: World
  private readonly intents: PaymentIntents
  private readonly methods: PaymentMethods
  private readonly collections: Collections

  constructor(world: World, intents: PaymentIntents, methods: PaymentMethods, collections: Collections) {
    this.world = world
    this.intents = intents
    this.methods = methods
    this.collections = collections
    this.objects = new Objects(world.now)
  }

  require(id: string, param = "id"): Stripe.Refund {
    const refund = this.objects.get(id)
    if (refund === undefined) throw missing("refund", id, param)
    return refund
  }

  create(fields: Fields): Stripe.Refund {
    const charge = this.chargeOf(fields.text("charge"), fields.text("payment_intent"))
    const reason = fields.oneOf("reason", reasons)
    return this.refund(charge, fields.whole("amount"), reason, fields.metadata())
  }

  /** Returns money of a charge, all that is left by default. */
  refund(
    charge: Stripe.Charge,
    wanted: number | null,
    reason: (typeof reasons)[number] | null,
    metadata: Readonly<Record<string, string>>
  ): Stripe.Refund {
    if (charge.status !== "succeeded") throw invalid("This charge has not been paid and cannot be refunded.", "charge")
    const left = charge.amount - charge.amount_refunded
    if (left === 0) {
      throw invalid(`Charge ${charge.id} has already been refunded.`, undefined, "charge_already_refunded")
    }
    if (charge.disputed) {
      throw invalid(`Charge ${charge.id} has been charged back; cannot issue a refund.`, undefined, "charge_disputed")
    }
    const amount = wanted ?? left
    if (amount < 1)
      throw invalid("This value must be greater than or equal to 1.", "amount", "parameter_invalid_integer")
    if (amount > left) {
      throw invalid(`Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`, "amount")
    }
    const refund = this.objects.add({
      id: this.world.ids.mint("re_3", "0", 14),
      object: "refund",
      amount,
      balance_transaction: this.world.ids.mint("txn_3", "0", 14),
      charge: charge.id,
      created: secondsOf(this.world),
      currency: charge.currency,
      customer: charge.customer,
      customer_account: null,
      destination_details: { card: { type: "refund" }, type: "card" },
      metadata: { ...metadata },
      payment_intent: charge.payment_intent,
      payment_method: charge.payment_method,
      reason,
      receipt_number: null,
      source_transfer_reversal: null,
      status: "succeeded",
      transfer_reversal: null
    })
    this.take(charge, amount)
    this.world.tell("refund.created", refund)
    this.world.tell("charge.refunded", charge)
    this.goOn(refund, charge)
    return refund
  }

  /** Ends a refund: one that fails puts its amount back. */
  end(refund: Stripe.Refund, status: "succeeded" | "failed"): void {
    if (refund.status === "failed" || refund.status === status) return
    refund.status = status
    delete refund.pending_reason
    if (status === "failed") {
      refund.failure_reason = "lost_or_stolen_card"
      this.take(this.collections.require(String(refund.charge)), -refund.amount)
      this.world.tell("refund.failed", refund)
    }
    this.world.tell("refund.updated", refund)
    this.world.tell("charge.refund.updated", refund)
  }

  private goOn(refund: Stripe.Refund, charge: Stripe.Charge): void {
    const card = this.methods.cardOf(String(charge.payment_method))
    const pending = this.world.faults.hit(["refund_pending"], { operation: "refund" })
    const failing = this.world.faults.hit(["refund_fails"], { operation: "refund" })
    const end = failing !== undefined || card?.refund === "failed" ? "failed" : "succeeded"
    if (pending !== undefined || card?.refund === "pending") {
      refund.status = "pending"
      refund.pending_reason = "processing"
    }
    if (end === "succeeded" && refund.status === "succeeded") return
    const after = pending?.value ?? failing?.value ?? pendingMs
    this.world.later(after, () => this.end(refund, end))
  }

  private take(charge: Stripe.Charge, amount: number): void {
    charge.amount_refunded += amount
    charge.refunded = charge.amount_refunded === charge.amount
  }

  private chargeOf(charge: string | null, intent: string | null): Stripe.Charge {
    if (charge !== null) return this.collections.require(charge, "charge")
    if (intent === null) {
      throw invalid("One of the following params should be provided for this request: payment_intent or charge.")
    }
    const { latest_charge } = this.intents.require(intent, "payment_intent")
    if (typeof latest_charge !== "string") {
      throw invalid(`This PaymentIntent (${intent}) does not have a successful charge to refund.`, "payment_intent")
    }
    return this.collections.require(latest_charge, "payment_intent")
  }
}
