import { Schema } from "effect"
import { EnvironmentKind } from "../conventions/Access.ts"
import { id } from "../conventions/Ids.ts"
import { AmountBrl } from "../conventions/Money.ts"
import { Timestamp } from "../conventions/Timestamp.ts"

/** C-PMGT-04 */
const Coverage = Schema.Literals(["plan", "prepaid", "none"]).annotate({
  description:
    "plan: a Standard or Growth plan covers the month, including the month in which it ends. prepaid: the month's fee was charged. none: neither; the number cannot send."
})
export type Coverage = typeof Coverage.Type

/** C-PMGT-17..19 */
const PaymentStatus = Schema.Literals(["paid", "unpaid", "not_charged"]).annotate({
  description:
    "Payment of the present UTC month. unpaid: its fee left the balance below zero, and the balance has not returned to zero since."
})
export type PaymentStatus = typeof PaymentStatus.Type

/** C-PMGT-20 */
const ServiceState = Schema.Literals([
  "serving",
  "disabled_unpaid_month_end",
  "funding_required",
  "not_serving"
]).annotate({
  description:
    "disabled_unpaid_month_end: until the month ends. funding_required: the balance did not cover the fee on the 1st; with credit for one fee, the number is enabled again on the next 1st."
})
export type ServiceState = typeof ServiceState.Type

const nextChargeAt = Schema.NullOr(Timestamp).annotate({
  description: "The next scheduled charge: 00:05 UTC on a 1st; null when none is scheduled."
})

/** The coverage of an imported number's management. gaps-3 F "Coverage item and summary" */
export const PhoneManagementCoverage = Schema.Struct({
  id: id("pn"),
  object: Schema.Literal("phone_management_coverage"),
  phone_number_id: id("pn"),
  phone: Schema.NullOr(Schema.String).annotate({ description: "The number, in E.164." }),
  display_name: Schema.NullOr(Schema.String).annotate({ description: "Display name of the number." }),
  environment: EnvironmentKind.annotate({ description: "Kind of the number's environment." }),
  coverage: Coverage,
  covered_until: Schema.NullOr(Timestamp).annotate({
    description: "The 1st at which coverage ends unless a plan or a fee extends it; null without coverage."
  }),
  next_charge_at: nextChargeAt,
  next_charge_brl: Schema.NullOr(AmountBrl).annotate({
    description: "One full fee, never prorated; 0.0000 in sandbox, null when none is scheduled."
  }),
  currency: Schema.Literal("brl"),
  current_month_payment_status: PaymentStatus,
  service_state: ServiceState,
  disable_at: Schema.NullOr(Timestamp).annotate({
    description: "Time at which an unpaid month disables the number on the free plan: 12:00 UTC on the last UTC day."
  }),
  evaluated_at: Timestamp
}).annotate({ identifier: "PhoneManagementCoverage" })
export type PhoneManagementCoverage = typeof PhoneManagementCoverage.Type

/** Totals over all numbers of the environment, whatever the page shows. C-PMGT-14..16 */
export const PhoneManagementSummary = Schema.Struct({
  retained_count: Schema.Int.annotate({ description: "Numbers with a scheduled charge." }),
  monthly_total_brl: AmountBrl.annotate({ description: "Sum of their fees, whenever they are due." }),
  next_charge_at: nextChargeAt,
  next_charge_brl: Schema.NullOr(AmountBrl).annotate({
    description: "Sum of the fees due at that instant; null when none is scheduled."
  }),
  currency: Schema.Literal("brl")
}).annotate({ identifier: "PhoneManagementSummary" })
export type PhoneManagementSummary = typeof PhoneManagementSummary.Type
