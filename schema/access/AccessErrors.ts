import { apiError } from "../conventions/ApiError.ts"

/**
 * Refuses when a key body or list query breaks the contract, or asks for more than the creating key may grant. A-KEY-31
 */
export class InvalidApiKeyRequest extends apiError("invalid_api_key_request", {
  status: 400,
  type: "validation_error",
  message: "The API key request is invalid."
}) {}

/** Refuses when no such key exists in the calling key's project and environment. gaps-1 F "What key routes can see" */
export class ApiKeyNotFound extends apiError("api_key_not_found", {
  status: 404,
  type: "not_found",
  message: "No API key with this id."
}) {}

/** Refuses when the key to rotate is revoked or expired. gaps-1 F "Rotating or renaming inactive keys" */
export class ApiKeyNotActive extends apiError("api_key_not_active", {
  status: 409,
  type: "conflict",
  message: "This API key is revoked or expired."
}) {}

/** Refuses more than 100 active keys per environment. gaps-1 F "Number of keys" */
export class ApiKeyLimitReached extends apiError("api_key_limit_reached", {
  status: 409,
  type: "conflict",
  message: "This environment holds the largest allowed number of active API keys."
}) {}

/** Refuses when a device create or token body breaks the contract. gaps-1 A "Validation code of each route" */
export class InvalidDeviceAuthorizationRequest extends apiError("invalid_device_authorization_request", {
  status: 400,
  type: "validation_error",
  message: "The device authorization request is invalid."
}) {}

/** Refuses when the device code is unknown or was redeemed before. A-DEV-21 */
export class InvalidDeviceCode extends apiError("invalid_device_code", {
  status: 400,
  type: "validation_error",
  message: "The device code is unknown or was already redeemed."
}) {}

/** Refuses when fifteen minutes have passed since the device authorization was created. A-DEV-22 */
export class DeviceCodeExpired extends apiError("device_code_expired", {
  status: 400,
  type: "validation_error",
  message: "The device code has expired; start a new device authorization."
}) {}

/** Refuses when the owner denied the request, or lost the right to approve before the key was created. A-DEV-23 */
export class AuthorizationDenied extends apiError("authorization_denied", {
  status: 403,
  type: "authorization_error",
  message: "The device authorization was denied."
}) {}

/** Refuses a poll that comes sooner than the current interval. gaps-1 E "Polling too fast" */
export class SlowDown extends apiError("slow_down", {
  status: 429,
  type: "rate_limited",
  message: "Polling too fast; the polling interval has grown."
}) {}

/** Refuses a production key on a route of the sandbox. gaps-2 A "Production key on a sandbox route" */
export class SandboxOnlyRoute extends apiError("sandbox_only_route", {
  status: 400,
  type: "validation_error",
  message: "This route accepts sandbox keys only."
}) {}
