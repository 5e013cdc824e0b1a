import { Schema } from "effect"
import { AmountBrl } from "../conventions/Money.ts"
import { Timestamp } from "../conventions/Timestamp.ts"

const instantOrNull = (description: string) => Schema.NullOr(Timestamp).annotate({ description })
const unused = Schema.Null.annotate({ description: "Always null." })

/** The present UTC month of a number the service rents. M-PHN-28..40 */
export const PhoneRenewal = Schema.Struct({
  state: Schema.Literals(["at_risk", "upcoming", "release_pending", "released"]).annotate({
    description: "at_risk: this month was charged and is not covered by the balance. upcoming: all is paid."
  }),
  reason_codes: Schema.Array(Schema.String).annotate({ description: "insufficient_credit while at_risk." }),
  next_renewal_at: instantOrNull("When the next month is charged: 00:05 UTC on the 1st."),
  release_cutoff_at: instantOrNull("Until when an unpaid month has to be paid; on the free plan alone."),
  automatic_release_enabled: Schema.Boolean.annotateKey({
    description: "Whether an unpaid month ends in the number's release; no paid plan does that."
  }),
  amount_brl: Schema.NullOr(AmountBrl).annotate({ description: "What this month was charged; null without a charge." }),
  currency: Schema.Literal("brl"),
  recommended_action: Schema.Literals(["add_credit_or_enable_auto_topup", "none"]).annotate({
    description: "What to do now."
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
