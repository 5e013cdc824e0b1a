import type Stripe from "stripe"
import type { Account } from "./Account.ts"

/** A payment as checkers read it, in the words of the bridge's simulator. */
export interface Charge {
  readonly id: string
  /** The product's id, from the metadata. */
  readonly external_id: string
  readonly customer: string
  readonly payment_method: string
  readonly amount_centavos: number
  readonly off_session: boolean
  readonly status: "succeeded" | "requires_action" | "processing" | "failed" | "refunded"
  readonly decline_code: string | null
  readonly client_secret: string
}

/** The account's payments for checkers and control routes. */
export class Charges {
  private readonly account: Account
  private readonly land: () => void

  constructor(account: Account, land: () => void) {
    this.account = account
    this.land = land
  }

  get list(): ReadonlyArray<Charge> {
    this.land()
    return this.account.intents.objects.list.map((intent) => this.shown(intent))
  }

  /** Lets creates take effect that are due by the simulator's clock. */
  landDue(): void {
    this.land()
  }

  /** Acts as the cardholder in the browser: authenticates, or fails to. */
  authenticate(clientSecret: string, isProven: boolean): Charge | undefined {
    this.land()
    const intent = this.account.intents.objects.list.find((one) => one.client_secret === clientSecret)
    if (intent === undefined) return undefined
    this.account.intents.authenticate(intent, isProven)
    return this.shown(intent)
  }

  /** Collects a payment that was declined. */
  payLate(of: string): Charge | undefined {
    const intent = this.find(of)
    if (intent === undefined) return undefined
    this.account.intents.payLate(intent)
    return this.shown(intent)
  }

  /** Returns the whole amount to the cardholder. */
  refund(of: string): Charge | undefined {
    const intent = this.find(of)
    if (intent === undefined) return undefined
    if (this.shown(intent).status === "succeeded") this.account.refunds.refund(this.chargeOf(intent), null, null, {})
    return this.shown(intent)
  }

  /**
   * Has the cardholder's bank dispute a payment, and decides the dispute when the outcome is named. Returns the id of the
   * dispute; null for a payment that was not made.
   */
  dispute(
    of: string,
    outcome?: "won" | "lost"
  ): { readonly charge: Charge; readonly dispute: string | null } | undefined {
    const intent = this.find(of)
    if (intent === undefined) return undefined
    const dispute = intent.status === "succeeded" ? this.account.disputes.open(this.chargeOf(intent)) : undefined
    if (dispute !== undefined && outcome !== undefined) this.account.disputes.close(dispute, outcome)
    return { charge: this.shown(intent), dispute: dispute?.id ?? null }
  }

  /** Returns a payment by its id or by the product's. */
  find(of: string): Stripe.PaymentIntent | undefined {
    this.land()
    return this.account.intents.objects.list.find(({ id, metadata }) => id === of || metadata.external_id === of)
  }

  shown(intent: Stripe.PaymentIntent): Charge {
    const method = intent.payment_method ?? intent.last_payment_error?.payment_method?.id
    return {
      id: intent.id,
      external_id: intent.metadata.external_id ?? "",
      customer: String(intent.customer ?? ""),
      payment_method: String(method ?? ""),
      amount_centavos: intent.amount,
      off_session: this.account.intents.isOffSession(intent.id),
      status: this.statusOf(intent),
      decline_code: intent.last_payment_error?.decline_code ?? intent.last_payment_error?.code ?? null,
      client_secret: intent.client_secret ?? ""
    }
  }

  private statusOf(intent: Stripe.PaymentIntent): Charge["status"] {
    switch (intent.status) {
      case "succeeded": {
        const charge = this.chargeOf(intent)
        return charge.refunded || this.account.disputes.of(charge.id)?.status === "lost" ? "refunded" : "succeeded"
      }
      case "requires_action":
        return "requires_action"
      case "processing":
        return "processing"
      default:
        return "failed"
    }
  }

  private chargeOf(intent: Stripe.PaymentIntent): Stripe.Charge {
    return this.account.collections.require(String(intent.latest_charge))
  }
}
