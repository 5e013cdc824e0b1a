import { Schema } from "effect"
import { defineEvent, defineRenderedEvent } from "../conventions/Event.ts"
import { id } from "../conventions/Ids.ts"
import { Timestamp } from "../conventions/Timestamp.ts"

/** The status of a group. C-GRP, document 3 "Group" */
export const GroupStatus = Schema.Literals(["pending", "active", "failed", "deleting", "deleted"]).annotate({
  identifier: "GroupStatus",
  description: "Status of the group."
})

/**
 * The reason why the last operation on a group failed; `provider` is null when the provider was not called. gaps-3 B
 * "failure.provider"
 */
export const GroupFailure = Schema.Struct({
  code: Schema.Literals([
    "group_provider_rejected",
    "provider_error",
    "sender_phone_number_unavailable",
    "group_phone_number_not_eligible"
  ]).annotate({ description: "Code of the failure." }),
  message: Schema.String.annotateKey({ description: "The failure in a sentence." }),
  provider: Schema.NullOr(Schema.Literal("upstream")).annotate({
    description: "The provider's part of the failure; null when the provider was not called."
  })
}).annotate({ identifier: "GroupFailure" })
export type GroupFailure = typeof GroupFailure.Type

const outcome = <Failure extends Schema.Top>(failure: Failure) =>
  Schema.Struct({
    group_id: id("grp"),
    phone_number_id: id("pn"),
    status: GroupStatus,
    subject: Schema.String.annotateKey({ description: "Name shown to participants." }),
    provider_group_id: Schema.NullOr(Schema.String).annotate({ description: "The provider's id of the group." }),
    invite_link: Schema.NullOr(Schema.String).annotate({ description: "Anyone holding it can join: keep it secret." }),
    failure: failure.annotateKey({ description: "Failure of the operation; null when it succeeded." }),
    occurred_at: Timestamp.annotate({ description: "Time at which the service recorded the outcome." })
  })

/**
 * Success events show the group as it is when they are sent or read. Only the instant, and on a failure its reason, are
 * stored with the change. C-GEVT-03, C-GEVT-04, C-GEVT-12..15, gaps-3 B "Event payload of the success events"
 */
const succeeded = {
  source_type: "group",
  kept: Schema.Struct({ occurred_at: Timestamp }),
  secrets: ["invite_link"]
} as const
const failed = {
  source_type: "group",
  kept: Schema.Struct({ failure: GroupFailure, occurred_at: Timestamp }),
  secrets: ["invite_link"]
} as const

/** C-GEVT-09 */
export const GroupCreated = defineRenderedEvent("group.created", outcome(Schema.Null), {
  ...succeeded,
  description: "A group was created; data shows the group as it is now."
})

/** C-GEVT-09 */
export const GroupCreateFailed = defineRenderedEvent("group.create_failed", outcome(GroupFailure), {
  ...failed,
  description: "A group could not be created; data shows the group as it is now and this operation's failure."
})

/** C-GEVT-10 */
export const GroupDeleted = defineRenderedEvent("group.deleted", outcome(Schema.Null), {
  ...succeeded,
  description: "A group was deleted; data shows the group as it is now."
})

/** C-GEVT-10 */
export const GroupDeleteFailed = defineRenderedEvent("group.delete_failed", outcome(GroupFailure), {
  ...failed,
  description: "A group could not be deleted; data shows the group as it is now and this operation's failure."
})

/** C-GEVT-11 */
export const GroupInviteLinkReset = defineRenderedEvent("group.invite_link_reset", outcome(Schema.Null), {
  ...succeeded,
  description: "A group has a new invite link; data shows the group as it is now."
})

/** C-GEVT-11 */
export const GroupInviteLinkResetFailed = defineRenderedEvent("group.invite_link_reset_failed", outcome(GroupFailure), {
  ...failed,
  description: "An invite link was not replaced; data shows the group as it is now and this operation's failure."
})

const participation = {
  group_id: id("grp"),
  phone_number_id: id("pn"),
  participant: Schema.Struct({
    chat_id: Schema.String.annotateKey({ description: "The participant's id on the channel." })
  }).annotate({ description: "The participant who joined or left." }),
  participant_count: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)).annotate({
    description: "Number of participants right after this change."
  }),
  occurred_at: Timestamp.annotate({ description: "Time of the change, in whole seconds." })
}

/** The event is stored in full with the change. C-GEVT-05..07 */
export const GroupParticipantJoined = defineEvent("group.participant_joined", Schema.Struct(participation), {
  source_type: "group",
  description: "A participant joined a group."
})

/** C-GEVT-05..08 */
export const GroupParticipantRemoved = defineEvent(
  "group.participant_removed",
  Schema.Struct({
    ...participation,
    initiated_by: Schema.Literals(["participant", "business"]).annotate({ description: "Initiator of the removal." })
  }),
  { source_type: "group", description: "A participant left a group or was removed from it." }
)
