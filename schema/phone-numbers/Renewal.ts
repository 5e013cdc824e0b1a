import { Schema } from "effect"
import { AmountBrl } from "../conventions/Money.ts"
import { Timestamp } from "../conventions/Timestamp.ts"

const instantOrNull = (description: string) => Schema.NullOr(Timestamp).annotate({ description })
const unused = Schema.Null.annotate({ description: "Always null." })

/** The present UTC month of a number the service rents. M-PHN-28..40 */
export const PhoneRenewal = Schema.Struct({
  state: Schema.Literals(["at_risk", "upcoming", "release_pending", "released"]).annotate({
    description: "at_risk: this month was charged and the balance does not cover it. upcoming: all charges are paid."
  }),
  reason_codes: Schema.Array(Schema.String).annotate({ description: "insufficient_credit while at_risk." }),
  next_renewal_at: instantOrNull("Time of the next monthly charge: 00:05 UTC on the 1st."),
  release_cutoff_at: instantOrNull("Time until which an unpaid month has to be paid; only on the free plan."),
  automatic_release_enabled: Schema.Boolean.annotateKey({
    description: "Whether an unpaid month releases the number; never on a paid plan."
  }),
  amount_brl: Schema.NullOr(AmountBrl).annotate({
    description: "Amount charged for this month; null without a charge."
  }),
  currency: Schema.Literal("brl"),
  recommended_action: Schema.Literals(["add_credit_or_enable_auto_topup", "none"]).annotate({
    description: "Recommended action."
  }),
  evaluated_at: Timestamp,
  cycle_id: unused,
  renewal_warning_48h_at: unused,
  renewal_warning_24h_at: unused,
  grace_selected_at: unused,
  grace_ends_at: unused,
  release_requested_at: unused,
  provider_evidence_observed_at: unused
}).annotate({ identifier: "PhoneRenewal" })
export type PhoneRenewal = typeof PhoneRenewal.Type
