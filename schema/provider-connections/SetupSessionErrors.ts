import { apiError } from "../conventions/ApiError.ts"

/** Refuses when a body of a setup session breaks the contract. gaps-2 A "New error codes" */
export class InvalidSetupSessionRequest extends apiError("invalid_setup_session_request", {
  status: 400,
  type: "validation_error",
  message: "The setup session request is invalid."
}) {}

/** Refuses in a sandbox, which transcribes without a key of its own. M-SETUP-06 */
export class SetupSttSandboxUnsupported extends apiError("provider_credential_setup_stt_sandbox_unsupported", {
  status: 400,
  type: "validation_error",
  message: "A sandbox transcribes without a key; set one up in production."
}) {}

/** Refuses when this installation does not transcribe yet. M-SETUP-07 */
export class TranscriptionByokInactive extends apiError("transcription_byok_runtime_inactive", {
  status: 503,
  type: "service_unavailable",
  message: "Transcription with a key of your own is not active yet; retry the same request and key later."
}) {}

/**
 * Refuses when no such session exists in the calling key's environment, or in the organization of the signed-in person.
 * M-SETUP-08
 */
export class SetupSessionNotFound extends apiError("provider_credential_setup_session_not_found", {
  status: 404,
  type: "not_found",
  message: "No setup session with this id."
}) {}

/** Refuses when the 30 minutes of the session are over. M-SETUP-09 */
export class SetupSessionExpired extends apiError("provider_credential_setup_session_expired", {
  status: 409,
  type: "conflict",
  message: "This setup session has expired; create another one."
}) {}

/** M-SETUP-10 */
export class SetupSessionAlreadyCompleted extends apiError("provider_credential_setup_session_already_completed", {
  status: 409,
  type: "conflict",
  message: "This setup session was completed already."
}) {}

/** M-SETUP-11 */
export class SetupSessionAlreadyDenied extends apiError("provider_credential_setup_session_already_denied", {
  status: 409,
  type: "conflict",
  message: "This setup session was denied already."
}) {}

/** M-SETUP-11 */
export class SetupSessionDenied extends apiError("provider_credential_setup_session_denied", {
  status: 409,
  type: "conflict",
  message: "This setup session was denied; create another one."
}) {}

/** M-SETUP-12 */
export class SetupTargetNotConfigured extends apiError("provider_credential_setup_target_not_configured", {
  status: 409,
  type: "conflict",
  message: "This installation is not set up for that provider; ask its operator."
}) {}
