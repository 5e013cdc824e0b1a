import { SpendLimitExceeded } from "@carteiro/schema/messages/MessageErrors.ts"
import { InsufficientPaymentBalance, PaymentFeePricingUnavailable } from "@carteiro/schema/payments/PaymentErrors.ts"
import { Result } from "effect"
import { covers, type FeeReservations, feeOf, type PaymentFee, type PaymentFeeFacts } from "./PaymentFee.ts"

/** A payment to be accepted, with the parts that its fees depend on. Amount in 1/10,000 BRL. */
interface AskedPayment extends FeeReservations {
  readonly project_id: string
  readonly amount: number
}

/** The account at the time of the decision, including payments accepted earlier in the batch. */
interface FeeAccount {
  readonly account: { readonly environment: "sandbox" | "production" }
  readonly balance: () => number
  readonly spent: (projectId: string) => number
}

/**
 * Returns the fees of a payment, or the refusal by cap, prices and balance, checked in this order. A sandbox has no cap
 * and pays nothing. C-FEE-22..30, gaps-3 C "Order inside payment create", gaps-3 D "Spend cap and fees"
 */
export const acceptFee = (
  { caps, prices }: PaymentFeeFacts,
  payment: AskedPayment,
  { account, balance, spent }: FeeAccount
): Result.Result<PaymentFee, SpendLimitExceeded | PaymentFeePricingUnavailable | InsufficientPaymentBalance> => {
  const cap = caps.get(payment.project_id)
  if (cap !== undefined) {
    const before = spent(payment.project_id)
    if (prices === undefined ? before >= cap : before + prices.initiation > cap) {
      return Result.fail(new SpendLimitExceeded())
    }
  }
  if (prices === undefined) return Result.fail(new PaymentFeePricingUnavailable())
  const { completion_reservation_id, initiation_reservation_id } = payment
  const fee = feeOf(prices, payment.amount, { initiation_reservation_id, completion_reservation_id })
  return account.environment === "production" && !covers(balance(), fee)
    ? Result.fail(new InsufficientPaymentBalance())
    : Result.succeed(fee)
}
