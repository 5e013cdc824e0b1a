import { apiError } from "../conventions/ApiError.ts"

/** No such person in the organization. gaps-1 C "Dashboard sessions and roles" */
export class MemberNotFound extends apiError("member_not_found", {
  status: 404,
  type: "not_found",
  message: "No member with this id."
}) {}

/** Addresses are unique within an organization, without case. */
export class MemberEmailTaken extends apiError("member_email_taken", {
  status: 409,
  type: "conflict",
  message: "A member of this organization already has this email address."
}) {}

/** Somebody must be left who may hand out keys. */
export class LastOwner extends apiError("last_owner", {
  status: 409,
  type: "conflict",
  message: "An organization keeps at least one active owner."
}) {}

/** Admins cannot raise themselves or anybody else to owner, nor move owners. Decision 0007 */
export class OwnersOnly extends apiError("owners_only", {
  status: 403,
  type: "authorization_error",
  message: "Only owners may do this for an owner."
}) {}
