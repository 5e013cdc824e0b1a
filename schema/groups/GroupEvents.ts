import { Schema } from "effect"
import { defineEvent, defineRenderedEvent } from "../conventions/Event.ts"
import { id } from "../conventions/Ids.ts"
import { Timestamp } from "../conventions/Timestamp.ts"

/** Where a group stands. C-GRP, document 3 "Group" */
export const GroupStatus = Schema.Literals(["pending", "active", "failed", "deleting", "deleted"]).annotate({
  identifier: "GroupStatus",
  description: "Where the group stands."
})

/** Why the last operation on a group failed; `provider` is null when nothing was sent. gaps-3 B "failure.provider" */
export const GroupFailure = Schema.Struct({
  code: Schema.Literals([
    "group_provider_rejected",
    "provider_error",
    "sender_phone_number_unavailable",
    "group_phone_number_not_eligible"
  ]).annotate({ description: "What went wrong." }),
  message: Schema.String.annotateKey({ description: "The same in a sentence." }),
  provider: Schema.NullOr(Schema.Literal("upstream")).annotate({ description: "Null when nothing was sent." })
}).annotate({ identifier: "GroupFailure" })
export type GroupFailure = typeof GroupFailure.Type

const outcome = <Failure extends Schema.Top>(failure: Failure) =>
  Schema.Struct({
    group_id: id("grp"),
    phone_number_id: id("pn"),
    status: GroupStatus,
    subject: Schema.String.annotateKey({ description: "The name its participants see." }),
    provider_group_id: Schema.NullOr(Schema.String).annotate({ description: "The provider's id of the group." }),
    invite_link: Schema.NullOr(Schema.String).annotate({ description: "Anyone holding it can join: keep it secret." }),
    failure: failure.annotateKey({ description: "Why the operation failed; null when it succeeded." }),
    occurred_at: Timestamp.annotate({ description: "When the service recorded the outcome." })
  })

/**
 * Outcomes show the group as it is when they are sent or served; only the instant, and on a failure its reason, are
 * written with the change. C-GEVT-03, C-GEVT-04, C-GEVT-12..15, gaps-3 B "Event payload of the success events"
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
  description: "A group exists; shows the group as it is now."
})

/** C-GEVT-09 */
export const GroupCreateFailed = defineRenderedEvent("group.create_failed", outcome(GroupFailure), {
  ...failed,
  description: "A group could not be made; shows the group as it is now and this operation's failure."
})

/** C-GEVT-10 */
export const GroupDeleted = defineRenderedEvent("group.deleted", outcome(Schema.Null), {
  ...succeeded,
  description: "A group is gone; shows the group as it is now."
})

/** C-GEVT-10 */
export const GroupDeleteFailed = defineRenderedEvent("group.delete_failed", outcome(GroupFailure), {
  ...failed,
  description: "A group could not be deleted; shows the group as it is now and this operation's failure."
})

/** C-GEVT-11 */
export const GroupInviteLinkReset = defineRenderedEvent("group.invite_link_reset", outcome(Schema.Null), {
  ...succeeded,
  description: "A group has a new invite link; shows the group as it is now."
})

/** C-GEVT-11 */
export const GroupInviteLinkResetFailed = defineRenderedEvent("group.invite_link_reset_failed", outcome(GroupFailure), {
  ...failed,
  description: "An invite link was not replaced; shows the group as it is now and this operation's failure."
})

const participation = {
  group_id: id("grp"),
  phone_number_id: id("pn"),
  participant: Schema.Struct({
    chat_id: Schema.String.annotateKey({ description: "The participant's id on the channel." })
  }).annotate({ description: "Who joined or left." }),
  participant_count: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)).annotate({
    description: "How many are in the group right after this change."
  }),
  occurred_at: Timestamp.annotate({ description: "When it happened, in whole seconds." })
}

/** Fixed in full when it is recorded. C-GEVT-05..07 */
export const GroupParticipantJoined = defineEvent("group.participant_joined", Schema.Struct(participation), {
  source_type: "group",
  description: "Somebody joined a group."
})

/** C-GEVT-05..08 */
export const GroupParticipantRemoved = defineEvent(
  "group.participant_removed",
  Schema.Struct({
    ...participation,
    initiated_by: Schema.Literals(["participant", "business"]).annotate({ description: "Who ended it." })
  }),
  { source_type: "group", description: "Somebody left a group or was removed from it." }
)
