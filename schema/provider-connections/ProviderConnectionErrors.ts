import { apiError } from "../conventions/ApiError.ts"

/** Refuses when a body that registers or completes a connection breaks the contract. M-CONN-30 */
export class InvalidProviderConnectionRequest extends apiError("invalid_provider_connection_request", {
  status: 400,
  type: "validation_error",
  message: "The provider connection request is invalid."
}) {}

/** Refuses when a body that rotates a token breaks the contract. M-CONN-30 */
export class InvalidTokenRotation extends apiError("invalid_provider_connection_token_rotation", {
  status: 400,
  type: "validation_error",
  message: "The token rotation is invalid."
}) {}

/** Refuses when the calling key's environment has no such connection. M-CONN-33 */
export class ProviderConnectionNotFound extends apiError("provider_connection_not_found", {
  status: 404,
  type: "not_found",
  message: "No provider connection with this id in this environment."
}) {}

/** Refuses a token of another app of the platform. M-CONN-26 */
export class UpstreamTokenForeignApp extends apiError("upstream_token_foreign_app", {
  status: 400,
  type: "validation_error",
  message: "This token was minted by another app of the platform; use one that our app minted."
}) {}

/** Refuses when the platform rejects the token, or the token does not reach the named account. M-CONN-27 */
export class ChatappCredentialsInvalid extends apiError("chatapp_credentials_invalid", {
  status: 400,
  type: "validation_error",
  message: "The platform does not accept these credentials, or they do not reach the account and number you named."
}) {}

/** Refuses when the token reaches no account, or several. M-CONN-29 */
export class UpstreamBizAccountMissing extends apiError("upstream_biz_account_missing", {
  status: 400,
  type: "validation_error",
  message: "The token does not prove exactly one business account; complete the pending connection with biz_account_id."
}) {}

/** Refuses when the channel already has a connected account. gaps-2 L "Token checks" */
export class UpstreamConnectionAlreadyExists extends apiError("upstream_connection_already_exists", {
  status: 409,
  type: "conflict",
  message: "This environment has a live upstream connection for the channel; disconnect it first, or rotate its token."
}) {}

/** Refuses a new token unless the upstream connection is live. M-CONN-31 */
export class ProviderConnectionNotRotatable extends apiError("provider_connection_not_rotatable", {
  status: 409,
  type: "conflict",
  message: "Only a connected or suspended upstream connection takes another token."
}) {}

/** Refuses when the new token reaches another account. M-CONN-32 */
export class UpstreamIdentityEnforced extends apiError("upstream_identity_enforced", {
  status: 409,
  type: "conflict",
  message: "The new token proves another business account; connect that one by itself."
}) {}

/** Refuses to complete a connection that is not pending. gaps-2 L "List, read, disconnect, rotate, complete-pending" */
export class ProviderConnectionNotPending extends apiError("provider_connection_not_pending", {
  status: 409,
  type: "conflict",
  message: "This connection is not pending."
}) {}
