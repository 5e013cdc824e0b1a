import { Schema } from "effect"
import { EnvironmentKind } from "../conventions/Access.ts"
import { id, TraceId } from "../conventions/Ids.ts"
import { AmountBrl } from "../conventions/Money.ts"
import { Timestamp } from "../conventions/Timestamp.ts"
import { Direction, MessageStatus, MessageType } from "../messages/Vocabulary.ts"
import { PhoneRenewal } from "./Renewal.ts"

/** Rented from the number provider, or brought by the customer. M-PHN-02 */
export const NumberSource = Schema.Literals(["numprov", "byon"]).annotate({
  description: "numprov: rented here. byon: your own number."
})
export type NumberSource = typeof NumberSource.Type

/** The status of a number. M-PHN-03, gaps-2 K "State machine" */
export const NumberStatus = Schema.Literals([
  "requested",
  "provisioning",
  "provisioned",
  "verifying",
  "active",
  "failed",
  "release_requested",
  "released",
  "disconnected"
]).annotate({ description: "Status of the number; only an active number can send." })
export type NumberStatus = typeof NumberStatus.Type

const text = (description: string) => Schema.NullOr(Schema.String).annotate({ description })
const instant = (description: string) => Schema.NullOr(Timestamp).annotate({ description })

/** The enrollment of an imported number. M-PHN-05, gaps-2 K "Inner phone shapes" */
export const NumprovManagement = Schema.Struct({
  id: id("nme"),
  object: Schema.Literal("numprov_management"),
  status: Schema.Literals(["active", "suspended", "ended"]).annotate({
    description: "Whether the number is managed here."
  }),
  provider_connection_id: Schema.String.annotateKey({
    description: "Id of the connected account that it was imported from."
  }),
  terms_version: Schema.String.annotateKey({ description: "Version of the accepted terms." }),
  enrolled_at: Timestamp,
  ended_at: instant("Time at which management ended; null before."),
  renewal: Schema.Null.annotate({ description: "Always null: an imported number is not rented." })
}).annotate({ identifier: "NumprovManagement" })

/** A name that the platform reviews. gaps-2 K "Inner phone shapes" */
export const PendingNameReview = Schema.Struct({
  name: Schema.String.annotateKey({ description: "The name under review." }),
  submitted_at: Timestamp
}).annotate({ identifier: "PendingNameReview" })

/** The platform's decision on a name. gaps-2 K "Inner phone shapes" */
export const NameReview = Schema.Struct({
  name: text("The reviewed name."),
  decision: Schema.Literals(["approved", "declined"]).annotate({ description: "The decision." }),
  reason: text("Reason for the decision, if one was given."),
  decided_at: Timestamp
}).annotate({ identifier: "NameReview" })

/** One of the latest messages of a number. gaps-2 K "Inner phone shapes" */
export const RecentMessage = Schema.Struct({
  id: id("msg"),
  direction: Direction,
  type: MessageType,
  status: MessageStatus,
  created_at: Timestamp
}).annotate({ identifier: "RecentMessage" })
export type RecentMessage = typeof RecentMessage.Type

/** A remark on a display name; it never blocks. M-PHN-24, M-PHN-25 */
export const NameWarning = Schema.Struct({
  code: Schema.Literals([
    "display_name_generic",
    "display_name_too_short",
    "display_name_has_url",
    "display_name_all_caps"
  ]).annotate({ description: "Possible objection of reviewers." }),
  field: Schema.Literal("display_name"),
  message: Schema.String.annotateKey({ description: "Text for people." })
}).annotate({ identifier: "NameWarning" })
export type NameWarning = typeof NameWarning.Type

const phoneNumberFields = {
  id: id("pn"),
  object: Schema.Literal("phone_number"),
  source: NumberSource,
  status: NumberStatus,
  environment: EnvironmentKind,
  display_name: text("Display name given in the request."),
  ddd: text("Area code in Brazil."),
  phone: text("The number in international form; null before it is known."),
  provider_number_id: text("Id at the number provider, if the number is rented from one."),
  upstream_phone_number_id: text("Id at the chat platform."),
  biz_account_id: text("Id of its business account at the chat platform."),
  numprov_management: Schema.NullOr(NumprovManagement).annotate({
    description: "Management of an imported number; null for all others."
  }),
  quality_rating: Schema.Literals(["green", "yellow", "red", "unknown"]).annotate({
    description: "Quality of the number, as customers rate its messages."
  }),
  messaging_tier: Schema.Literals([
    "tier_50",
    "tier_250",
    "tier_1k",
    "tier_2k",
    "tier_10k",
    "tier_100k",
    "unlimited",
    "unknown"
  ]).annotate({ description: "New recipients that the number may message in 24 hours." }),
  messaging_limit_tier: text("The platform's name of the messaging limit."),
  upstream_throughput_tier: Schema.NullOr(Schema.Literals(["1", "2", "3", "4", "unlimited"])).annotate({
    description: "Throughput that the platform allows."
  }),
  upstream_quality_rating: text("Quality as the platform names it."),
  verified_name: text("Name verified by the platform, at the last read."),
  pending_name_review: Schema.NullOr(PendingNameReview).annotate({
    description: "Name under review; null when there is none."
  }),
  name_review: Schema.NullOr(NameReview).annotate({
    description: "Latest decision on a name; null before the first."
  }),
  upstream_health_synced_at: instant("Time of the last successful read from the platform; null before the first."),
  current_24h_unique_recipients: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)).annotate({
    description: "New recipients messaged in the last 24 hours."
  }),
  remaining_messaging_allowance_estimate: Schema.NullOr(Schema.Int).annotate({
    description:
      "New recipients left before sends wait, for all numbers of the business portfolio together; null, not zero, when the number is unknown."
  }),
  verification_code: text("Latest verification code received, for ten minutes."),
  verification_code_received_at: instant("Time at which the code was received."),
  monthly_fee_brl: Schema.NullOr(AmountBrl).annotate({
    description: "Monthly price of the number; null for your own number."
  }),
  error_code: text("Code of the failure."),
  error_message: text("The failure in a sentence."),
  created_at: Timestamp,
  updated_at: Timestamp,
  activated_at: instant("Time at which the number first became active."),
  released_at: instant("Time of release."),
  recent_messages: Schema.Array(RecentMessage).annotate({
    description: "Latest ten messages, newest first; empty in lists."
  }),
  warnings: Schema.Array(NameWarning).annotate({ description: "Warnings about the display name." }),
  renewal: Schema.NullOr(PhoneRenewal).annotate({
    description: "Charge for this month; null for numbers that are not rented, and in a sandbox."
  })
}

/** A phone number as lists return it. M-PHN-01..40 */
export const PhoneNumber = Schema.Struct(phoneNumberFields).annotate({ identifier: "PhoneNumber" })
export type PhoneNumber = typeof PhoneNumber.Type

/** A phone number as a response of its own. */
export const PhoneNumberRead = Schema.Struct({ ...phoneNumberFields, trace_id: TraceId })
