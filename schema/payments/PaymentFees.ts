import { Schema } from "effect"
import { id } from "../conventions/Ids.ts"
import { AmountBrl } from "../conventions/Money.ts"

/** The state of the fee that is held until the outcome. C-FEE-06 */
export const FeeState = Schema.Literals(["held", "settled", "released", "unresolved"]).annotate({
  description:
    "held until the outcome; settled once charged; released once returned; unresolved while held beyond a final status or a day."
})

/**
 * The fees of a payment; all but `completion.state` stay as they were at acceptance. C-FEE-02..15, gaps-3 D "Shape of
 * fees"
 */
export const PaymentFees = Schema.Struct({
  simulated: Schema.Boolean.annotate({ description: "True in the sandbox: fees are recorded and never charged." }),
  rate_card_id: Schema.String.annotate({ description: "Pricing version from which the fees were computed." }),
  initiation: Schema.Struct({
    amount_brl: AmountBrl,
    reservation_id: id("rsv")
  }).annotate({ description: "Charged once at acceptance, whatever the outcome." }),
  completion: Schema.Struct({
    rate: Schema.String.annotate({ description: "Share of the amount, as a fraction.", examples: ["0.01"] }),
    amount_brl: AmountBrl,
    state: FeeState,
    reservation_id: id("rsv")
  }).annotate({ description: "Held at acceptance, charged when the payment is paid." })
}).annotate({ identifier: "PaymentFees", description: "Fees of the payment; null where no fee is owed." })
export type PaymentFees = typeof PaymentFees.Type
