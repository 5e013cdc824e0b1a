/**
 * The balance and held credit of a wallet, in 1/10,000 BRL. Held credit is already deducted from the balance. C-BAL-05
 */
export interface Wallet {
  readonly balance: number
  readonly held: number
}

/** The payment whose fee a reservation holds. C-LED-10 */
export interface PaymentReference {
  readonly object: "payment_request" | "agentic_payment"
  readonly id: string
}

/** Held credit. Reservations of a sandbox belong to its simulated account. */
export interface Reservation {
  readonly id: string
  readonly state: "open" | "settled" | "released"
  readonly amount: number
  readonly meter_id: string
  readonly source_type: "payment_fee_hold" | "phone_month"
  readonly project_id: string | null
  readonly environment_id: string | null
  readonly trace_id: string | null
  readonly payment: PaymentReference | null
}

/** A source or destination of credit. gaps-3 D "Double-entry model" */
export type LedgerAccount = "available" | "held" | "promotion" | `funding:${string}` | `revenue:${string}`

/** One transfer and its effect on the wallet. */
export interface Movement {
  readonly type: "debit" | "credit" | "hold" | "release"
  /** False for holds of anything but payments and for their releases, which are stored but not listed. C-LED-19 */
  readonly is_listed: boolean
  readonly from: LedgerAccount
  readonly to: LedgerAccount
  readonly amount: number
  readonly source_type: "usage" | "credit_topup" | "payment_fee_hold" | "phone_month"
  readonly source_id: string
  readonly meter_id: string | null
  /** Null except for production debits. gaps-3 D "uncollected_brl" */
  readonly uncollected: number | null
  readonly environment_id: string | null
  readonly trace_id: string | null
  readonly payment: PaymentReference | null
  readonly reservation_id: string | null
}

/** Returns the wallet after a movement. C-BAL-06..08, gaps-3 D "Double-entry model" */
export const apply = (wallet: Wallet, movement: Movement): Wallet => {
  const { balance, held } = deltas(movement)
  return { balance: wallet.balance + balance, held: wallet.held + held }
}

/** Returns the amounts that a movement adds to balance and held credit. */
export const deltas = ({ amount, from, to }: Movement): Wallet => ({
  balance: (to === "available" ? amount : 0) - (from === "available" ? amount : 0),
  held: (to === "held" ? amount : 0) - (from === "held" ? amount : 0)
})

/** Returns the movement that holds credit. C-BAL-06 */
export const hold = (reservation: Reservation): Movement => ({
  ...ofReservation(reservation),
  type: "hold",
  from: "available",
  to: "held",
  meter_id: null,
  uncollected: null
})

/** Returns the movement that releases held credit. C-BAL-08, C-LED-06 */
export const release = (reservation: Reservation): Movement => ({
  ...hold(reservation),
  type: "release",
  from: "held",
  to: "available"
})

/** Returns the movement that charges held credit as usage of its meter. C-BAL-07, C-LED-16 */
export const settle = (reservation: Reservation, usage_id: string): Movement => ({
  ...ofReservation(reservation),
  type: "debit",
  is_listed: true,
  from: "held",
  to: `revenue:${reservation.meter_id}`,
  source_type: "usage",
  source_id: usage_id,
  meter_id: reservation.meter_id,
  uncollected: 0
})

/** Usage that is charged now. */
export interface Charge {
  readonly usage_id: string
  readonly meter_id: string
  readonly amount: number
  readonly environment_id: string | null
  readonly trace_id: string | null
  readonly payment?: PaymentReference | null
  readonly reservation_id?: string | null
}

/**
 * Returns the movement that charges usage; the balance may fall below zero. gaps-3 D "What may go negative",
 * "uncollected_brl"
 */
export const debit = (wallet: Wallet, charge: Charge): Movement => ({
  type: "debit",
  is_listed: true,
  from: "available",
  to: `revenue:${charge.meter_id}`,
  amount: charge.amount,
  source_type: "usage",
  source_id: charge.usage_id,
  meter_id: charge.meter_id,
  uncollected: charge.amount - Math.min(charge.amount, Math.max(0, wallet.balance)),
  environment_id: charge.environment_id,
  trace_id: charge.trace_id,
  payment: charge.payment ?? null,
  reservation_id: charge.reservation_id ?? null
})

/** Returns the movement that adds a top-up of a rail, or a promotion. C-LED-09 */
export const credit = (topup_id: string, amount: number, from: "promotion" | `funding:${string}`): Movement => ({
  type: "credit",
  is_listed: true,
  from,
  to: "available",
  amount,
  source_type: "credit_topup",
  source_id: topup_id,
  meter_id: null,
  uncollected: null,
  environment_id: null,
  trace_id: null,
  payment: null,
  reservation_id: null
})

/** Returns the movement that takes a top-up back: a refund, a chargeback or a correction. gaps-3 D "Refund entries" */
export const refund = (
  wallet: Wallet,
  topup_id: string,
  amount: number,
  to: "promotion" | `funding:${string}`
): Movement => ({
  ...credit(topup_id, amount, to),
  type: "debit",
  from: "available",
  to,
  uncollected: amount - Math.min(amount, Math.max(0, wallet.balance))
})

const ofReservation = ({ amount, environment_id, id, payment, source_type, trace_id }: Reservation) => ({
  is_listed: source_type === "payment_fee_hold",
  amount,
  source_type,
  source_id: id,
  environment_id,
  trace_id,
  payment,
  reservation_id: payment === null ? null : id
})
