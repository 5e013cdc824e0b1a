import { apiError } from "../conventions/ApiError.ts"

/** A body that makes or completes a signup session breaks the contract. gaps-2 A "New error codes" */
export class InvalidSignupSessionRequest extends apiError("invalid_signup_session_request", {
  status: 400,
  type: "validation_error",
  message: "The signup session request is invalid."
}) {}

/** No such session in the calling key's environment. gaps-2 A "New error codes" */
export class UpstreamSignupSessionNotFound extends apiError("upstream_signup_session_not_found", {
  status: 404,
  type: "not_found",
  message: "No signup session with this id in this environment."
}) {}

/** The launch bearer opens no session. M-SIGN-08 */
export class InvalidSignupSessionToken extends apiError("invalid_upstream_signup_session_token", {
  status: 401,
  type: "authentication_error",
  message: "This launch is not valid: start again from a new link."
}) {}

/** Its half hour is over. M-SIGN-09 */
export class UpstreamSignupSessionExpired extends apiError("upstream_signup_session_expired", {
  status: 409,
  type: "conflict",
  message: "This signup session has expired; create another one."
}) {}

/** Another completion won. M-SIGN-10 */
export class UpstreamSignupSessionAlreadyCompleted extends apiError("upstream_signup_session_already_completed", {
  status: 409,
  type: "conflict",
  message: "Another completion of this signup session came first."
}) {}
