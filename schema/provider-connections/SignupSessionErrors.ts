import { apiError } from "../conventions/ApiError.ts"

/** Refuses when a body that creates or completes a signup session breaks the contract. gaps-2 A "New error codes" */
export class InvalidSignupSessionRequest extends apiError("invalid_signup_session_request", {
  status: 400,
  type: "validation_error",
  message: "The signup session request is invalid."
}) {}

/** Refuses when the calling key's environment has no such session. gaps-2 A "New error codes" */
export class UpstreamSignupSessionNotFound extends apiError("upstream_signup_session_not_found", {
  status: 404,
  type: "not_found",
  message: "No signup session with this id in this environment."
}) {}

/** Refuses when the launch bearer matches no session. M-SIGN-08 */
export class InvalidSignupSessionToken extends apiError("invalid_upstream_signup_session_token", {
  status: 401,
  type: "authentication_error",
  message: "This launch is not valid: start again from a new link."
}) {}

/** Refuses when the 30 minutes of the session are over. M-SIGN-09 */
export class UpstreamSignupSessionExpired extends apiError("upstream_signup_session_expired", {
  status: 409,
  type: "conflict",
  message: "This signup session has expired; create another one."
}) {}

/** Refuses when another completion came first. M-SIGN-10 */
export class UpstreamSignupSessionAlreadyCompleted extends apiError("upstream_signup_session_already_completed", {
  status: 409,
  type: "conflict",
  message: "Another completion of this signup session came first."
}) {}
