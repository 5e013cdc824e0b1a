import type { PaymentReference, Reservation } from "../wallet/Wallet.ts"
import type { PaymentFee } from "./PaymentFee.ts"

/** The project and environment of a payment, as the ledger shows them. */
export interface FeePlace {
  readonly project_id: string
  readonly environment_id: string
  readonly trace_id: string
  readonly payment: PaymentReference
}

/** The part of an account's change that takes credit. */
interface FeeChange {
  readonly charge: (reservation: Omit<Reservation, "state">) => void
  readonly hold: (reservation: Omit<Reservation, "state">) => void
}

/** Charges the initiation fee and holds the completion fee. C-FEE-02, C-FEE-05, C-LED-15 */
export const takeFee = (change: FeeChange, fee: PaymentFee, source: FeePlace): void => {
  const common = { ...source, source_type: "payment_fee_hold" } as const
  change.charge({
    ...common,
    id: fee.initiation_reservation_id,
    meter_id: "payment.initiation",
    amount: fee.initiation_amount
  })
  change.hold({
    ...common,
    id: fee.completion_reservation_id,
    meter_id: "payment.completion",
    amount: fee.completion_amount
  })
}
