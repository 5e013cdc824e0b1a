import { Schema } from "effect"
import { EnvironmentKind } from "../conventions/Access.ts"
import { id, TraceId } from "../conventions/Ids.ts"
import { AmountBrl } from "../conventions/Money.ts"
import { Timestamp } from "../conventions/Timestamp.ts"
import { Direction, MessageStatus, MessageType } from "../messages/Vocabulary.ts"
import { PhoneRenewal } from "./Renewal.ts"

/** Rented from the number provider, or brought by the customer. M-PHN-02 */
export const NumberSource = Schema.Literals(["numprov", "byon"]).annotate({
  description: "numprov: rented here. byon: brought by you."
})
export type NumberSource = typeof NumberSource.Type

/** Where a number stands. M-PHN-03, gaps-2 K "State machine" */
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
]).annotate({ description: "Only an active number sends." })
export type NumberStatus = typeof NumberStatus.Type

const text = (description: string) => Schema.NullOr(Schema.String).annotate({ description })
const instant = (description: string) => Schema.NullOr(Timestamp).annotate({ description })

/** The enrollment of an imported number. M-PHN-05, gaps-2 K "Inner phone shapes" */
export const NumprovManagement = Schema.Struct({
  id: id("nme"),
  object: Schema.Literal("numprov_management"),
  status: Schema.Literals(["active", "suspended", "ended"]).annotate({ description: "Whether it is managed here." }),
  provider_connection_id: Schema.String.annotateKey({ description: "The connected account it was imported from." }),
  terms_version: Schema.String.annotateKey({ description: "The terms that were accepted." }),
  enrolled_at: Timestamp,
  ended_at: instant("When management ended; null before."),
  renewal: Schema.Null.annotate({ description: "Always null: nothing is rented." })
}).annotate({ identifier: "NumprovManagement" })

/** A name that the platform reviews. gaps-2 K "Inner phone shapes" */
export const PendingNameReview = Schema.Struct({
  name: Schema.String.annotateKey({ description: "The name under review." }),
  submitted_at: Timestamp
}).annotate({ identifier: "PendingNameReview" })

/** What the platform decided of a name. gaps-2 K "Inner phone shapes" */
export const NameReview = Schema.Struct({
  name: text("The name that was reviewed."),
  decision: Schema.Literals(["approved", "declined"]).annotate({ description: "What was decided." }),
  reason: text("Why, where that was said."),
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
  ]).annotate({ description: "What reviewers may object to." }),
  field: Schema.Literal("display_name"),
  message: Schema.String.annotateKey({ description: "For a person to read." })
}).annotate({ identifier: "NameWarning" })
export type NameWarning = typeof NameWarning.Type

const phoneNumberFields = {
  id: id("pn"),
  object: Schema.Literal("phone_number"),
  source: NumberSource,
  status: NumberStatus,
  environment: EnvironmentKind,
  display_name: text("The name it was asked for under."),
  ddd: text("Its area code in Brazil."),
  phone: text("In international form; null before it is known."),
  provider_number_id: text("Its id at the number provider, where it is rented from one."),
  upstream_phone_number_id: text("Its id at the chat platform."),
  biz_account_id: text("The business account of the chat platform that it belongs to."),
  numprov_management: Schema.NullOr(NumprovManagement).annotate({
    description: "How an imported number is managed; null for every other."
  }),
  quality_rating: Schema.Literals(["green", "yellow", "red", "unknown"]).annotate({
    description: "How customers take its messages."
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
  ]).annotate({ description: "How many new recipients it may write to in 24 hours." }),
  messaging_limit_tier: text("The same in the platform's own word."),
  upstream_throughput_tier: Schema.NullOr(Schema.Literals(["1", "2", "3", "4", "unlimited"])).annotate({
    description: "How fast the platform lets it send."
  }),
  upstream_quality_rating: text("Its quality in the platform's own word."),
  verified_name: text("The name the platform has verified, as last read."),
  pending_name_review: Schema.NullOr(PendingNameReview).annotate({
    description: "The name under review; null when none is."
  }),
  name_review: Schema.NullOr(NameReview).annotate({
    description: "The latest decision on a name; null before the first."
  }),
  upstream_health_synced_at: instant("When the platform was last asked about it with success; null for never."),
  current_24h_unique_recipients: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)).annotate({
    description: "New recipients of the last 24 hours."
  }),
  remaining_messaging_allowance_estimate: Schema.NullOr(Schema.Int).annotate({
    description: "New recipients it may still write to before sends wait; null when nothing can be said, never zero."
  }),
  verification_code: text("The code that came last, for ten minutes."),
  verification_code_received_at: instant("When it came."),
  monthly_fee_brl: Schema.NullOr(AmountBrl).annotate({
    description: "What a month of it costs; null for one you brought."
  }),
  error_code: text("Why it failed."),
  error_message: text("The same for a person to read."),
  created_at: Timestamp,
  updated_at: Timestamp,
  activated_at: instant("When it became active first."),
  released_at: instant("When it was released."),
  recent_messages: Schema.Array(RecentMessage).annotate({
    description: "The last ten, newest first; empty in lists."
  }),
  warnings: Schema.Array(NameWarning).annotate({ description: "Remarks on its display name." }),
  renewal: Schema.NullOr(PhoneRenewal).annotate({
    description: "What this month costs; null where nothing is rented, and in a sandbox."
  })
}

/** A phone number as lists show it. M-PHN-01..40 */
export const PhoneNumber = Schema.Struct(phoneNumberFields).annotate({ identifier: "PhoneNumber" })
export type PhoneNumber = typeof PhoneNumber.Type

/** A phone number as it is answered alone. */
export const PhoneNumberRead = Schema.Struct({ ...phoneNumberFields, trace_id: TraceId })
