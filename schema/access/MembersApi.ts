import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { MemberRole, type OperationTraits, Traits } from "../conventions/Access.ts"
import { id, pathId, TraceId } from "../conventions/Ids.ts"
import { IdempotencyKeyConflict } from "../conventions/SharedErrors.ts"
import { label } from "../conventions/Text.ts"
import { Timestamp } from "../conventions/Timestamp.ts"
import { EmailAddress } from "./Member.ts"
import { InvalidMemberRequest, LastOwner, MemberEmailTaken, MemberNotFound, OwnersOnly } from "./MemberErrors.ts"

const fields = {
  id: id("mem"),
  object: Schema.Literal("member"),
  name: Schema.String,
  email: Schema.String,
  role: MemberRole,
  /** False for a member who may not sign in. */
  active: Schema.Boolean,
  created_at: Timestamp
}

/** A person of the organization. gaps-1 C "Dashboard sessions and roles" */
export const MemberResource = Schema.Struct(fields)
export type MemberResource = typeof MemberResource.Type

/** A person with what the caller may do about them. Decision 0007 */
export const MemberRead = Schema.Struct({
  ...fields,
  may_manage: Schema.Boolean,
  is_last_owner: Schema.Boolean,
  assignable_roles: Schema.Array(MemberRole),
  trace_id: TraceId
})
export type MemberRead = typeof MemberRead.Type

/** All people of the organization, oldest first, and the roles that the caller may give. */
export const MemberList = Schema.Struct({
  object: Schema.Literal("list"),
  data: Schema.Array(MemberResource),
  assignable_roles: Schema.Array(MemberRole),
  trace_id: TraceId
})

/** A new person. */
export const AddMember = Schema.Struct({ name: label(1, 120), email: EmailAddress, role: MemberRole })

/** A change of a person; a missing field stays unchanged. */
export const UpdateMember = Schema.Struct({
  role: Schema.optionalKey(MemberRole),
  active: Schema.optionalKey(Schema.Boolean)
})

const traits: OperationTraits = {
  authentication: "person",
  scopes: [],
  rate: "write",
  validation: InvalidMemberRequest.code,
  realTime: true
}
const params = { member_id: pathId("mem") }
const written = Schema.Struct({ ...fields, trace_id: TraceId })

/** The people of the caller's organization, for its people. gaps-1 C "Dashboard sessions and roles", decisions 0007, 0155 */
export class MembersApi extends HttpApiGroup.make("members")
  .add(
    HttpApiEndpoint.get("list", "/", { success: MemberList }).annotate(Traits, { ...traits, rate: "read" }),
    HttpApiEndpoint.get("get", "/:member_id", {
      params,
      success: MemberRead,
      error: MemberNotFound.wire
    }).annotate(Traits, { ...traits, rate: "read" }),
    HttpApiEndpoint.post("add", "/", {
      payload: AddMember,
      success: written.pipe(HttpApiSchema.status(201)),
      error: [InvalidMemberRequest.wire, OwnersOnly.wire, MemberEmailTaken.wire, IdempotencyKeyConflict.wire]
    }).annotate(Traits, { ...traits, idempotency: "optional" }),
    HttpApiEndpoint.patch("update", "/:member_id", {
      params,
      payload: UpdateMember,
      success: written,
      error: [InvalidMemberRequest.wire, MemberNotFound.wire, OwnersOnly.wire, LastOwner.wire]
    }).annotate(Traits, traits)
  )
  .prefix("/people/members") {}
