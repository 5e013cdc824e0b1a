import { Schema } from "effect"
import { EnvironmentKind } from "../conventions/Access.ts"
import { id } from "../conventions/Ids.ts"
import { AmountBrl } from "../conventions/Money.ts"
import { Timestamp } from "../conventions/Timestamp.ts"

/** C-PMGT-04 */
const Coverage = Schema.Literals(["plan", "prepaid", "none"]).annotate({
  description:
    "plan: a Standard or Growth plan covers the month, also the one in which it ends. prepaid: the fee of the month was charged. none: neither; the number sends nothing."
})
export type Coverage = typeof Coverage.Type

/** C-PMGT-17..19 */
const PaymentStatus = Schema.Literals(["paid", "unpaid", "not_charged"]).annotate({
  description:
    "Of the present UTC month. unpaid: its fee left the balance below zero, and it has not been back at zero since."
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
    "disabled_unpaid_month_end: until the month ends. funding_required: the balance did not allow for the fee on the 1st; with credit for one fee, the next 1st puts the number back."
})
export type ServiceState = typeof ServiceState.Type

const nextChargeAt = Schema.NullOr(Timestamp).annotate({
  description: "The next scheduled charge: 00:05 UTC on a 1st; null when nothing is scheduled."
})

/** How the management of an imported number is covered. gaps-3 F "Coverage item and summary" */
export const PhoneManagementCoverage = Schema.Struct({
  id: id("pn"),
  object: Schema.Literal("phone_management_coverage"),
  phone_number_id: id("pn"),
  phone: Schema.NullOr(Schema.String).annotate({ description: "The number, in E.164." }),
  display_name: Schema.NullOr(Schema.String).annotate({ description: "Its display name." }),
  environment: EnvironmentKind.annotate({ description: "The kind of its environment." }),
  coverage: Coverage,
  covered_until: Schema.NullOr(Timestamp).annotate({
    description: "The 1st from which on it is not covered unless a plan or a fee does; null without coverage."
  }),
  next_charge_at: nextChargeAt,
  next_charge_brl: Schema.NullOr(AmountBrl).annotate({
    description: "One full fee, never prorated; 0.0000 in sandbox, null when nothing is scheduled."
  }),
  currency: Schema.Literal("brl"),
  current_month_payment_status: PaymentStatus,
  service_state: ServiceState,
  disable_at: Schema.NullOr(Timestamp).annotate({
    description: "On the free plan, when an unpaid month disables the number: 12:00 UTC on the last UTC day."
  }),
  evaluated_at: Timestamp
}).annotate({ identifier: "PhoneManagementCoverage" })
export type PhoneManagementCoverage = typeof PhoneManagementCoverage.Type

/** All numbers of the environment together, whatever the page shows. C-PMGT-14..16 */
export const PhoneManagementSummary = Schema.Struct({
  retained_count: Schema.Int.annotate({ description: "Numbers with a scheduled charge." }),
  monthly_total_brl: AmountBrl.annotate({ description: "Their fees together, whenever they are due." }),
  next_charge_at: nextChargeAt,
  next_charge_brl: Schema.NullOr(AmountBrl).annotate({
    description: "The fees due at that instant together; null when nothing is scheduled."
  }),
  currency: Schema.Literal("brl")
}).annotate({ identifier: "PhoneManagementSummary" })
export type PhoneManagementSummary = typeof PhoneManagementSummary.Type
