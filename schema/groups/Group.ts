import { Schema } from "effect"
import { EnvironmentKind } from "../conventions/Access.ts"
import { id, TraceId } from "../conventions/Ids.ts"
import { pageQuery } from "../conventions/Page.ts"
import { nullableOptional } from "../conventions/RequestValidation.ts"
import { label, text } from "../conventions/Text.ts"
import { Timestamp } from "../conventions/Timestamp.ts"
import { GroupFailure, GroupStatus } from "./GroupEvents.ts"

/** A current member. C-GPART-01 */
const GroupParticipant = Schema.Struct({
  chat_id: Schema.String.annotateKey({ description: "The participant's id on the channel." }),
  joined_at: Timestamp.annotate({ description: "Time of joining, in whole seconds." })
}).annotate({ identifier: "GroupParticipant" })

const fields = {
  id: id("grp"),
  object: Schema.Literal("group"),
  status: GroupStatus,
  environment: EnvironmentKind,
  phone_number_id: id("pn").annotate({ description: "The number that hosts the group." }),
  subject: Schema.String.annotateKey({ description: "Name shown to participants." }),
  description: Schema.NullOr(Schema.String).annotate({
    description: "Description of the group; null if none was given."
  }),
  join_approval_mode: Schema.Literal("auto_approve").annotate({
    description: "auto_approve: anyone with the link joins without approval."
  }),
  provider_group_id: Schema.NullOr(Schema.String).annotate({
    description: "The provider's id; null until the group exists there. It starts with sb_ in a sandbox."
  }),
  invite_link: Schema.NullOr(Schema.String).annotate({
    description: "Anyone holding it can join: treat it as a password. Null until the group exists."
  }),
  participants: Schema.Array(GroupParticipant).annotateKey({
    description: "Current members, in the order they joined."
  }),
  participant_count: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)).annotate({
    description: "Number of current members."
  }),
  failure: Schema.NullOr(GroupFailure).annotate({ description: "Failure of the latest operation; null otherwise." }),
  created_at: Timestamp,
  updated_at: Timestamp,
  deleted_at: Schema.NullOr(Timestamp).annotate({ description: "Time of deletion; null otherwise." }),
  suspended_at: Schema.optionalKey(Timestamp).annotateKey({
    description:
      "When the chat platform suspended the group: nothing can be sent to it. Absent while it is not suspended."
  })
}

/** A group as lists return it. */
export const GroupEntry = Schema.Struct(fields).annotate({ identifier: "GroupEntry" })
export type GroupEntry = typeof GroupEntry.Type

/** A group that a business made on its own number. Document 3, "Group" */
export const Group = Schema.Struct({ ...fields, trace_id: TraceId }).annotate({ identifier: "Group" })
export type Group = typeof Group.Type

/** The most characters of a text in any body: the service sets no limit of its own. C-GRP-32 */
const unbounded = 1_000_000

/** Kept as sent; refuses only blank text. gaps-3 B "Subject and description" */
const Subject = label(1, unbounded).annotate({
  description: "Name shown to participants, not blank; kept as sent. The provider has its own limits."
})

/** `phone_number_id` in bodies and queries. C-GRP-27, C-ELIG-11 */
export const PhoneNumberId = label(1, 255).annotate({ description: "The number that hosts the group." })

/** Body of POST /v1/groups. C-GRP-27..31 */
export const CreateGroup = Schema.Struct({
  phone_number_id: PhoneNumberId,
  subject: Subject,
  description: nullableOptional(
    text(0, unbounded).annotate({ description: "Description of the group; kept as sent." })
  ),
  join_approval_mode: nullableOptional(
    Schema.Literal("auto_approve").annotate({ description: "The only mode, and the default." })
  )
}).annotate({
  identifier: "CreateGroup",
  examples: [{ phone_number_id: "pn_01kah7v3m8q6x2r9d4t5w0y1z3", subject: "Customers of May", description: "Offers" }]
})
export type CreateGroup = typeof CreateGroup.Type

/** Query of GET /v1/groups. C-GRP-46 */
export const listGroupsQuery = {
  ...pageQuery(),
  phone_number_id: Schema.optionalKey(PhoneNumberId),
  status: Schema.optionalKey(
    Schema.Literals(GroupStatus.literals).annotate({ description: "Groups with this status." })
  )
}

/** Body of POST /v1/sandbox/groups/{group_id}/participants. gaps-3 B "Simulation body" */
export const SimulateParticipant = Schema.Struct({
  action: Schema.Literals(["join", "remove"]).annotate({ description: "Kind of change: join or remove." }),
  chat_id: label(1, 255).annotate({ description: "The participant's id on the channel, not blank." }),
  initiated_by: nullableOptional(
    Schema.Literals(["participant", "business"]).annotate({
      description: "Initiator of a removal; participant by default."
    })
  )
})
  .annotate({ identifier: "SimulateParticipant", examples: [{ action: "join", chat_id: "5511999998888" }] })
  .check(
    Schema.makeFilter((body: { readonly action: string; readonly initiated_by?: unknown }) =>
      body.action === "join" && body.initiated_by !== undefined
        ? { path: ["initiated_by"], issue: "nothing: only a removal is initiated by somebody" }
        : undefined
    )
  )
export type SimulateParticipant = typeof SimulateParticipant.Type
