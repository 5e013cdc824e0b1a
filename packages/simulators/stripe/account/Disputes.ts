import type Stripe from "stripe"
import { missing } from "../wire/Refusal.ts"
import { Objects, secondsOf, type World } from "./World.ts"

const weekSeconds = 7 * 24 * 3600

/** Charges that a cardholder's bank takes back. */
export class Disputes {
  readonly objects: Objects<Stripe.Dispute>
  private readonly world: World

  constructor(world: World) {
    this.world = world
    this.objects = new Objects(world.now)
  }

  require(id: string, param = "id"): Stripe.Dispute {
    const dispute = this.objects.get(id)
    if (dispute === undefined) throw missing("dispute", id, param)
    return dispute
  }

  /** Returns the dispute of a charge; undefined when there is none. */
  of(charge: string): Stripe.Dispute | undefined {
    return this.objects.list.findLast((one) => one.charge === charge)
  }

  /** Takes a charge's money back until the dispute is won. */
  open(charge: Stripe.Charge, reason = "fraudulent"): Stripe.Dispute {
    const before = this.of(charge.id)
    if (before !== undefined) return before
    charge.disputed = true
    const dispute = this.objects.add(
      opened(this.world.ids.mint("du_1", "0", 14), secondsOf(this.world), charge, reason)
    )
    this.world.tell("charge.dispute.created", dispute)
    this.world.tell("charge.dispute.funds_withdrawn", dispute)
    return dispute
  }

  close(dispute: Stripe.Dispute, status: "won" | "lost"): void {
    if (dispute.status === "won" || dispute.status === "lost") return
    dispute.status = status
    this.world.tell("charge.dispute.closed", dispute)
    if (status === "won") this.world.tell("charge.dispute.funds_reinstated", dispute)
  }
}

const opened = (id: string, now: number, charge: Stripe.Charge, reason: string): Stripe.Dispute => ({
  id,
  object: "dispute",
  amount: charge.amount,
  balance_transactions: [],
  charge: charge.id,
  created: now,
  currency: charge.currency,
  enhanced_eligibility_types: [],
  evidence: noEvidence,
  evidence_details: {
    due_by: now + weekSeconds,
    enhanced_eligibility: {},
    has_evidence: false,
    past_due: false,
    submission_count: 0,
    submission_method: "not_submitted"
  },
  intended_submission_method: null,
  is_charge_refundable: false,
  livemode: false,
  metadata: {},
  payment_intent: charge.payment_intent,
  payment_method_details: {
    card: { brand: "visa", case_type: "chargeback", network: "visa", network_reason_code: "10.4" },
    type: "card"
  },
  reason,
  status: "needs_response"
})

const noEvidence: Stripe.Dispute.Evidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null
}
