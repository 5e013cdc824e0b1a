import { formatBrl, formatRate } from "@carteiro/schema/conventions/Money.ts"
import { dayMs } from "@carteiro/schema/conventions/Timestamp.ts"
import type { PaymentFees } from "@carteiro/schema/payments/PaymentFees.ts"
import { portionOf } from "../prices/Price.ts"

/** The prices of payments by the rate card of an instant; amounts in 1/10,000 BRL, the rate in ten-thousandths. */
export interface FeePrices {
  readonly rate_card_id: string
  readonly initiation: number
  readonly completion_rate: number
}

/** The facts that decide the acceptance of payments. */
export interface PaymentFeeFacts {
  /**
   * Undefined when no rate card covers the instant, when a fee is missing in it, or when it cannot be read. gaps-3 D
   * "When pricing cannot be read"
   */
  readonly prices: FeePrices | undefined
  /** The spend caps of production projects for a month, in 1/10,000 BRL; a project without a cap is absent. */
  readonly caps: ReadonlyMap<string, number>
}

/** The fees of one payment, and the ids of their reservations. C-FEE-02..14 */
export interface PaymentFee {
  readonly rate_card_id: string
  readonly initiation_amount: number
  readonly initiation_reservation_id: string
  readonly completion_rate: number
  readonly completion_amount: number
  readonly completion_reservation_id: string
}

/** The state of the fee that was held at acceptance. C-FEE-06 */
export type CompletionState = "held" | "settled" | "released"

/** The ids of the reservations of a payment's fees, minted by the code that accepts it. */
export interface FeeReservations {
  readonly initiation_reservation_id: string
  readonly completion_reservation_id: string
}

/** Returns the fees of a payment of this amount. C-FEE-03, gaps-3 D "Rate text and rounding" */
export const feeOf = (prices: FeePrices, amount: number, reservations: FeeReservations): PaymentFee => ({
  ...reservations,
  rate_card_id: prices.rate_card_id,
  initiation_amount: prices.initiation,
  completion_rate: prices.completion_rate,
  completion_amount: portionOf(amount, prices.completion_rate)
})

/** True when a balance covers the credit that a payment takes at acceptance. C-FEE-22, C-FEE-23 */
export const covers = (balance: number, { completion_amount, initiation_amount }: PaymentFee): boolean =>
  balance >= initiation_amount + completion_amount

/** The time after which an unconfirmed production hold reads unresolved, in milliseconds. C-FEE-10 */
const unresolvedMs = dayMs

/** The members of a payment that decide how its fees read. */
interface FeeStanding extends PaymentFee {
  readonly completion_state: CompletionState
  readonly isFinal: boolean
  readonly created_at: number
}

/** Returns fees as a payment shows them. gaps-3 D "Shape of fees", "When state reads unresolved" */
export const readFees = (standing: FeeStanding, environment: "sandbox" | "production", now: number): PaymentFees => ({
  simulated: environment === "sandbox",
  rate_card_id: standing.rate_card_id,
  initiation: {
    amount_brl: formatBrl(standing.initiation_amount),
    reservation_id: standing.initiation_reservation_id
  },
  completion: {
    rate: formatRate(standing.completion_rate),
    amount_brl: formatBrl(standing.completion_amount),
    state: stateOf(standing, environment, now),
    reservation_id: standing.completion_reservation_id
  }
})

const stateOf = (
  { completion_state, created_at, isFinal }: FeeStanding,
  environment: "sandbox" | "production",
  now: number
): PaymentFees["completion"]["state"] =>
  completion_state === "held" && environment === "production" && (isFinal || now >= created_at + unresolvedMs)
    ? "unresolved"
    : completion_state
