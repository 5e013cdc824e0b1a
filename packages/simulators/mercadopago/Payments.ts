import type { CallLog } from "../kit/CallLog.ts"
import { Timers } from "../kit/Timers.ts"
import { pixCode } from "../pix/PixCode.ts"
import { qrCode } from "../pix/QrCode.ts"
import type { Merchant, Merchants } from "./Merchants.ts"
import type { PaymentRequest } from "./PaymentRules.ts"

/** The outcomes of a payment by the simulators' common names, as Mercado Pago says them. */
export const outcomes = {
  pending: { status: "pending", detail: "pending_waiting_transfer" },
  paid: { status: "approved", detail: "accredited" },
  failed: { status: "rejected", detail: "rejected_by_bank" },
  expired: { status: "cancelled", detail: "expired" },
  cancelled: { status: "cancelled", detail: "by_collector" },
  refunded: { status: "refunded", detail: "refunded" },
  charged_back: { status: "charged_back", detail: "settled" }
} as const

export type Outcome = keyof typeof outcomes

/** A refund of a payment. */
export interface Refund {
  readonly id: number
  readonly amountCentavos: number
  /** Epoch milliseconds. */
  readonly createdAt: number
}

/** A Pix payment of a merchant. Times are epoch milliseconds. */
export interface Payment extends PaymentRequest {
  readonly id: number
  readonly merchant: Merchant
  readonly code: string
  readonly preferenceId: string | null
  readonly createdAt: number
  updatedAt: number
  approvedAt: number | null
  outcome: Outcome
  readonly refunds: Array<Refund>
  /** Returns a PNG of its code, in base64. */
  readonly qrCode: () => Promise<string>
}

const unpaid: ReadonlySet<Outcome> = new Set(["failed", "expired", "cancelled"])

/** True for a payment that only its collector's refund or the bank's charge-back changes, or nothing. */
export const hasEnded = ({ outcome }: Payment): boolean => outcome !== "pending"

/** Returns the centavos that can still be refunded. */
export const refundable = ({ amountCentavos, outcome, refunds }: Payment): number =>
  outcome === "paid" ? refunds.reduce((rest, refund) => rest - refund.amountCentavos, amountCentavos) : 0

/** The payments of all merchants. */
export class Payments {
  private readonly byId = new Map<number, Payment>()
  private readonly timers = new Timers()
  private readonly merchants: Merchants
  private readonly log: CallLog
  private readonly now: () => number
  private lastId = 0

  constructor(merchants: Merchants, log: CallLog, now: () => number) {
    this.merchants = merchants
    this.log = log
    this.now = now
  }

  /** Makes a payment, and tells its merchant: the second part ends with the webhook's first attempt. */
  make(
    merchant: Merchant,
    request: PaymentRequest,
    preferenceId: string | null
  ): readonly [payment: Payment, notified: Promise<void>] {
    const id = this.nextId()
    const code = pixCode(String(id), request.amountCentavos)
    // Drawn on demand, because drawing takes longer than the rest of a payment.
    let drawn: Promise<string> | undefined
    const payment: Payment = {
      ...request,
      id,
      merchant,
      code,
      preferenceId,
      createdAt: this.now(),
      updatedAt: this.now(),
      approvedAt: null,
      outcome: "pending",
      refunds: [],
      qrCode: () => (drawn ??= qrCode(code))
    }
    this.byId.set(id, payment)
    this.after(payment.expiresAt - this.now(), () => this.end(payment, "expired"))
    return [payment, this.notify(payment, "payment.created")]
  }

  /** Returns a payment of a merchant by its id. */
  of(merchant: Merchant, id: string): Payment | undefined {
    const payment = this.byId.get(Number(id))
    return payment?.merchant === merchant ? payment : undefined
  }

  /** Returns the payments of a merchant, oldest first. */
  ofMerchant(merchant: Merchant): ReadonlyArray<Payment> {
    return [...this.byId.values()].filter((payment) => payment.merchant === merchant)
  }

  /** Returns a payment of any merchant, for people and checks: by id, reference or code; the newest of several. */
  any(name: string): Payment | undefined {
    const named = ({ code, externalReference }: Payment) => externalReference === name || code === name
    return this.byId.get(Number(name)) ?? [...this.byId.values()].findLast(named)
  }

  /** Returns the payments made under a preference, oldest first. */
  ofPreference(preferenceId: string): ReadonlyArray<Payment> {
    return [...this.byId.values()].filter((payment) => payment.preferenceId === preferenceId)
  }

  /** Ends a pending payment and posts a webhook; false when it has ended. */
  end(payment: Payment, outcome: Outcome): boolean {
    if (hasEnded(payment) || outcome === "pending") return false
    this.move(payment, outcome)
    return true
  }

  /** Collects a payment that ended without money: the bank's transfer was under way. */
  payLate(payment: Payment): boolean {
    if (!unpaid.has(payment.outcome)) return false
    this.move(payment, "paid")
    return true
  }

  /** Takes back a paid payment: the payer's bank contested it. */
  chargeBack(payment: Payment): boolean {
    if (payment.outcome !== "paid") return false
    this.move(payment, "charged_back")
    return true
  }

  /** Gives money back. */
  refund(payment: Payment, amountCentavos: number): Refund {
    const refund: Refund = { id: this.nextId(), amountCentavos, createdAt: this.now() }
    payment.refunds.push(refund)
    if (refundable(payment) === 0) this.move(payment, "refunded")
    else {
      payment.updatedAt = this.now()
      void this.notify(payment, "payment.updated")
    }
    return refund
  }

  after(millis: number, run: () => void): void {
    this.timers.after(millis, run)
  }

  close(): void {
    this.timers.close()
  }

  private move(payment: Payment, outcome: Outcome): void {
    payment.outcome = outcome
    payment.updatedAt = this.now()
    if (outcome === "paid") payment.approvedAt = this.now()
    const { amountCentavos, externalReference, id } = payment
    this.log.add("outcome", {
      id: String(id),
      external_id: externalReference,
      status: outcome,
      amount_centavos: amountCentavos
    })
    void this.notify(payment, "payment.updated")
  }

  private notify({ id, merchant, notificationUrl }: Payment, action: "payment.created" | "payment.updated") {
    return this.merchants.tell(merchant, { paymentId: id, action, notificationUrl })
  }

  /** Returns a new id, which grows with the simulator's clock. */
  private nextId(): number {
    this.lastId = Math.max(this.lastId + 1, this.now() * 1000)
    return this.lastId
  }
}
