import { Schema } from "effect"
import { EnvironmentKind } from "../conventions/Access.ts"
import { id, TraceId } from "../conventions/Ids.ts"
import { Timestamp } from "../conventions/Timestamp.ts"
import { PhoneNumberId } from "./Group.ts"

/** Whether a number may host groups. C-ELIG-02 */
export const EligibilityStatus = Schema.Literals([
  "eligible",
  "not_eligible",
  "unknown",
  "not_checked",
  "read_failed"
]).annotate({ identifier: "GroupEligibilityStatus", description: "Whether the number may host groups." })

/**
 * Reasons why a number may not host groups, in the order of their report. C-ELIG-03, gaps-3 B "Production eligibility
 * source"
 */
export const ineligibilities = [
  "not_cloud_api",
  "chatapp_business_app_number",
  "not_official_business_account",
  "missing_messaging_permission"
] as const
export const Ineligibility = Schema.Literals(ineligibilities)

/** The stored eligibility of a number. C-ELIG-01..07, gaps-3 A "Resources printed without id" */
export const GroupEligibility = Schema.Struct({
  id: id("pn"),
  object: Schema.Literal("group_eligibility"),
  phone_number_id: id("pn"),
  environment: EnvironmentKind,
  status: EligibilityStatus,
  reasons: Schema.Array(Ineligibility).annotateKey({
    description: "Reasons why the number is not eligible; empty otherwise."
  }),
  checked_at: Schema.NullOr(Timestamp).annotate({
    description: "End of the latest check, whatever its result; null before the first."
  }),
  check_requested_at: Schema.NullOr(Timestamp).annotate({
    description: "Time of the latest request for a check; it is done once checked_at is later."
  }),
  trace_id: TraceId
}).annotate({ identifier: "GroupEligibility" })
export type GroupEligibility = typeof GroupEligibility.Type

/** Body of POST /v1/groups/eligibility-checks. C-ELIG-17..20 */
export const CheckEligibility = Schema.Struct({ phone_number_id: PhoneNumberId }).annotate({
  identifier: "CheckGroupEligibility",
  examples: [{ phone_number_id: "pn_01kah7v3m8q6x2r9d4t5w0y1z3" }]
})

/** Query of GET /v1/groups/eligibility. C-ELIG-11, C-ELIG-13 */
export const eligibilityQuery = { phone_number_id: PhoneNumberId }
