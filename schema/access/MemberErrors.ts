import { apiError } from "../conventions/ApiError.ts"

/** Refuses a new or changed person whose fields break the contract. */
export class InvalidMemberRequest extends apiError("invalid_member_request", {
  status: 400,
  type: "validation_error",
  message: "The member's name, email address or role is invalid."
}) {}

/** Refuses when no such person exists in the organization. gaps-1 C "Dashboard sessions and roles" */
export class MemberNotFound extends apiError("member_not_found", {
  status: 404,
  type: "not_found",
  message: "No member with this id."
}) {}

/** Refuses an address that another member has; case is ignored. */
export class MemberEmailTaken extends apiError("member_email_taken", {
  status: 409,
  type: "conflict",
  message: "A member of this organization already has this email address."
}) {}

/** Refuses to remove the last active owner, because an organization needs a person who can create keys. */
export class LastOwner extends apiError("last_owner", {
  status: 409,
  type: "conflict",
  message: "An organization keeps at least one active owner."
}) {}

/** Refuses when an admin raises a member to owner or changes an owner. Decision 0007 */
export class OwnersOnly extends apiError("owners_only", {
  status: 403,
  type: "authorization_error",
  message: "Only owners may do this for an owner."
}) {}
