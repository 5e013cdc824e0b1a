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
  joined_at: Timestamp.annotate({ description: "When they joined, in whole seconds." })
}).annotate({ identifier: "GroupParticipant" })

const fields = {
  id: id("grp"),
  object: Schema.Literal("group"),
  status: GroupStatus,
  environment: EnvironmentKind,
  phone_number_id: id("pn").annotate({ description: "The number that hosts it." }),
  subject: Schema.String.annotateKey({ description: "The name its participants see." }),
  description: Schema.NullOr(Schema.String).annotate({ description: "What it is about; null when nothing was said." }),
  join_approval_mode: Schema.Literal("auto_approve").annotate({ description: "Whoever has the link joins." }),
  provider_group_id: Schema.NullOr(Schema.String).annotate({
    description: "The provider's id; null until the group exists there. It starts with sb_ in a sandbox."
  }),
  invite_link: Schema.NullOr(Schema.String).annotate({
    description: "Anyone holding it can join: treat it as a password. Null until the group exists."
  }),
  participants: Schema.Array(GroupParticipant).annotateKey({ description: "Current members, oldest join first." }),
  participant_count: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)).annotate({ description: "How many they are." }),
  failure: Schema.NullOr(GroupFailure).annotate({ description: "Why the last operation failed; null otherwise." }),
  created_at: Timestamp,
  updated_at: Timestamp,
  deleted_at: Schema.NullOr(Timestamp).annotate({ description: "When it was deleted; null otherwise." })
}

/** A group as lists show it. */
export const GroupEntry = Schema.Struct(fields).annotate({ identifier: "GroupEntry" })
export type GroupEntry = typeof GroupEntry.Type

/** A group that a business made on its own number. Document 3, "Group" */
export const Group = Schema.Struct({ ...fields, trace_id: TraceId }).annotate({ identifier: "Group" })
export type Group = typeof Group.Type

/** Longest text that a body holds in any case: the service sets no limit of its own. C-GRP-32 */
const unbounded = 1_000_000

/** Kept as sent; only blank is refused. gaps-3 B "Subject and description" */
const Subject = label(1, unbounded).annotate({
  description: "The name participants see, not blank; kept as sent. The provider has limits of its own."
})

/** `phone_number_id` as bodies and queries name it. C-GRP-27, C-ELIG-11 */
export const PhoneNumberId = label(1, 255).annotate({ description: "The number that hosts the group." })

/** Body of POST /v1/groups. C-GRP-27..31 */
export const CreateGroup = Schema.Struct({
  phone_number_id: PhoneNumberId,
  subject: Subject,
  description: nullableOptional(text(0, unbounded).annotate({ description: "What it is about; kept as sent." })),
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
    Schema.Literals(GroupStatus.literals).annotate({ description: "Groups that stand there." })
  )
}

/** Body of POST /v1/sandbox/groups/{group_id}/participants. gaps-3 B "Simulation body" */
export const SimulateParticipant = Schema.Struct({
  action: Schema.Literals(["join", "remove"]).annotate({ description: "What happened." }),
  chat_id: label(1, 255).annotate({ description: "The participant's id on the channel, not blank." }),
  initiated_by: nullableOptional(
    Schema.Literals(["participant", "business"]).annotate({
      description: "Who ended it, of a removal only; participant when left out."
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
