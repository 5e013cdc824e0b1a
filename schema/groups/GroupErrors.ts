import { apiError } from "../conventions/ApiError.ts"

/** Refuses when a group body breaks the contract. C-ERR-02, gaps-3 A "Validation code of each route" */
export class InvalidGroupRequest extends apiError("invalid_group_request", {
  status: 400,
  type: "validation_error",
  message: "The group request is invalid."
}) {}

/** Refuses when a query of the list or of the eligibility read breaks the contract. C-ERR-01 */
export class InvalidGroupsQuery extends apiError("invalid_groups_query", {
  status: 400,
  type: "validation_error",
  message: "The groups query is invalid."
}) {}

/** Refuses when a group does not exist or belongs to another environment. C-GRP-75 */
export class GroupNotFound extends apiError("group_not_found", {
  status: 404,
  type: "not_found",
  message: "No group with this id."
}) {}

/** Refuses when the group is not active. C-GRP-52, C-GRP-71, C-GPART-09 */
export class GroupNotActive extends apiError("group_not_active", {
  status: 409,
  type: "conflict",
  message: "The group is not active."
}) {}

/** Refuses while a reset runs; no row is written. C-GRP-69 */
export class GroupInviteLinkResetInProgress extends apiError("group_invite_link_reset_in_progress", {
  status: 409,
  type: "conflict",
  message: "The invite link of this group is being reset already."
}) {}

/** Refuses a ninth participant of a simulated group. C-GPART-10, C-LIM-01 */
export class GroupParticipantLimitReached extends apiError("group_participant_limit_reached", {
  status: 409,
  type: "conflict",
  message: "A sandbox group holds eight participants at most."
}) {}

/** Refuses to simulate participants outside the sandbox. C-GPART-08 */
export class SandboxGroupParticipantSandboxOnly extends apiError("sandbox_group_participant_sandbox_only", {
  status: 400,
  type: "validation_error",
  message: "Participants are simulated with a sandbox key only."
}) {}

/** Refuses an id of a group made in a chat app; the message never repeats it. C-GRP-72..74 */
export class PersonalChatappGroupNotSupported extends apiError("personal_chatapp_group_not_supported", {
  status: 422,
  type: "validation_error",
  message: "Groups made in the chat apps cannot be used here: name a group by its id, which starts with grp_."
}) {}

/** Refuses when the stored eligibility is not_eligible; the message lists the reasons. C-GRP-36 */
export class GroupPhoneNumberNotEligible extends apiError("group_phone_number_not_eligible", {
  status: 422,
  type: "validation_error",
  message: "This phone number cannot host groups."
}) {}
