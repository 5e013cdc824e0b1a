import { apiError } from "../conventions/ApiError.ts"

/**
 * Refuses when a number does not exist or belongs to another environment; a send gets `sender.id` as `param`. M-PHN-53,
 * gaps-2 B "Sender not usable"
 */
export class PhoneNumberNotFound extends apiError("phone_number_not_found", {
  status: 404,
  type: "not_found",
  message: "No phone number with this id."
}) {}

/** Refuses when the number's management is suspended. M-ERR-05 */
export class PhoneServiceSuspended extends apiError("phone_service_suspended", {
  status: 403,
  type: "authorization_error",
  message: "The management of this phone number is suspended."
}) {}

/**
 * Refuses when a body of a phone number route breaks the contract; `param` names the field. gaps-2 A "New error codes"
 */
export class InvalidPhoneNumberRequest extends apiError("invalid_phone_number_request", {
  status: 400,
  type: "validation_error",
  message: "The phone number request is not valid."
}) {}

/** M-PHN-50 */
export class InvalidConnectRequest extends apiError("invalid_connect_request", {
  status: 400,
  type: "validation_error",
  message: "The connect request is not valid."
}) {}

/** M-TRF-03 */
export class InvalidTransferRequest extends apiError("invalid_transfer_request", {
  status: 400,
  type: "validation_error",
  message: "The transfer request is not valid."
}) {}

/**
 * Refuses when the phone, or its id at the platform, is in use elsewhere; the message does not say where. M-PHN-51,
 * gaps-2 K "Connect rules"
 */
export class PhoneNumberConflict extends apiError("phone_number_conflict", {
  status: 409,
  type: "conflict",
  message: "This phone number is in use already."
}) {}

/** Refuses when the plan allows no further number. M-PHN-52, C-ERR-15 */
export class PlanPhoneLimitReached extends apiError("plan_phone_limit_reached", {
  status: 402,
  type: "payment_required",
  message: "The plan allows no further phone number; release one, or change the plan."
}) {}

/** M-PHN-54, gaps-2 K "Release, disconnect, convert" */
export class PhoneNumberNotRemovable extends apiError("phone_number_not_removable", {
  status: 409,
  type: "conflict",
  message:
    "A number of this source cannot be removed this way in its present state: rented ones are released, others disconnected."
}) {}

/** gaps-2 K "Release, disconnect, convert" */
export class PhoneNumberNotConvertible extends apiError("phone_number_not_convertible", {
  status: 409,
  type: "conflict",
  message: "Only an imported number whose management has not ended can be converted."
}) {}

/** M-TRF-02 */
export class PhoneNumberConfirmationMismatch extends apiError("phone_number_confirmation_mismatch", {
  status: 400,
  type: "validation_error",
  message: "confirm_phone_number_id has to be the id in the path."
}) {}

/** M-TRF-04 */
export class PhoneNumberTransferSameEnvironment extends apiError("phone_number_transfer_same_environment", {
  status: 400,
  type: "validation_error",
  message: "The number is in this environment already."
}) {}

/** M-TRF-05 */
export class PhoneNumberTransferEnvironmentKindMismatch extends apiError(
  "phone_number_transfer_environment_kind_mismatch",
  {
    status: 400,
    type: "validation_error",
    message: "A number moves from sandbox to sandbox, or from production to production."
  }
) {}

/** M-TRF-06 */
export class PhoneNumberNotTransferable extends apiError("phone_number_not_transferable", {
  status: 409,
  type: "conflict",
  message:
    "Only an active or disconnected number moves, and only while none of its messages is queued, held or being sent."
}) {}

/** M-TRF-07 */
export class TargetEnvironmentNotFound extends apiError("target_environment_not_found", {
  status: 404,
  type: "not_found",
  message: "No such environment in a project of this organization."
}) {}
