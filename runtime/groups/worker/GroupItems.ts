import { Claim } from "@carteiro/owners/Idempotency.ts"
import { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { Schema } from "effect"

/** A finished response: made before the commit and stored with it, so that a replay has identical bytes. */
export const StoredResponse = Schema.Struct({ status: Schema.Int, body: Schema.String })
export type StoredResponse = typeof StoredResponse.Type

const call = { trace_id: Schema.String, claim: Schema.UndefinedOr(Claim), environment_id: Schema.String }

/** The caller mints the id, so that a repeated call makes one group. */
export const CreateItem = Schema.Struct({
  ...call,
  id: Schema.String,
  environment: EnvironmentKind,
  subject: Schema.String,
  description: Schema.NullOr(Schema.String),
  created_at: Schema.Number
})
export type CreateItem = typeof CreateItem.Type

/** A change of one group. */
export const GroupItem = Schema.Struct({ ...call, id: Schema.String })
export type GroupItem = typeof GroupItem.Type

export const CheckItem = Schema.Struct({ ...call, environment: EnvironmentKind })
export type CheckItem = typeof CheckItem.Type

/** A join or removal, simulated or reported by the provider; `at` is epoch milliseconds in whole seconds. */
export const ParticipantItem = Schema.Struct({
  trace_id: Schema.String,
  environment_id: Schema.String,
  id: Schema.String,
  chat_id: Schema.String,
  action: Schema.Literals(["join", "remove"]),
  initiated_by: Schema.Literals(["participant", "business"]),
  at: Schema.Number,
  /** True for a simulated participant, whose number in a group is limited. */
  is_simulated: Schema.Boolean
})
export type ParticipantItem = typeof ParticipantItem.Type

/** A report of the provider about a request. */
export const ReportItem = Schema.Struct({
  environment_id: Schema.String,
  id: Schema.String,
  report: Schema.Union([
    Schema.TaggedStruct("Created", { provider_group_id: Schema.String, invite_link: Schema.String }),
    Schema.TaggedStruct("Deleted", {}),
    Schema.TaggedStruct("Refused", { message: Schema.String }),
    Schema.TaggedStruct("Suspension", { is_suspended: Schema.Boolean, at: Schema.Number })
  ])
})
export type ReportItem = typeof ReportItem.Type
