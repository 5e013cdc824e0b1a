import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { EnvironmentKind, Traits } from "../conventions/Access.ts"
import { id } from "../conventions/Ids.ts"
import { label } from "../conventions/Text.ts"
import { TimestampInput } from "../conventions/Timestamp.ts"
import {
  ApiKeyLimitReached,
  AuthorizationDenied,
  DeviceCodeExpired,
  InvalidDeviceAuthorizationRequest,
  InvalidDeviceCode,
  SlowDown
} from "./AccessErrors.ts"
import { ApiKeyWithSecret, RequestedScopes } from "./ApiKey.ts"

/** The only grant type of the token route. A-DEV-13 */
export const deviceGrantType = "urn:ietf:params:oauth:grant-type:device_code"

/** Body of the create route, in the order its fields are checked. A-DEV-03..06 */
export const CreateDeviceAuthorization = Schema.Struct({
  client_name: label(1, 80),
  environment: EnvironmentKind,
  scopes: RequestedScopes,
  expires_at: Schema.optionalKey(Schema.NullOr(TimestampInput)).annotate({
    description: "Expiry of the key to be issued"
  })
})
export type CreateDeviceAuthorization = typeof CreateDeviceAuthorization.Type

/** A started request and the codes that move it. A-DEV-02, A-DEV-07..10; expires_in and interval in seconds. */
export const DeviceAuthorization = Schema.Struct({
  id: id("dva"),
  object: Schema.Literal("agent_api_key_device_authorization"),
  device_code: Schema.NonEmptyString,
  user_code: Schema.NonEmptyString,
  verification_uri: Schema.String,
  verification_uri_complete: Schema.String,
  expires_in: Schema.Int,
  interval: Schema.Int
}).annotate({ identifier: "DeviceAuthorization" })
export type DeviceAuthorization = typeof DeviceAuthorization.Type

/** Body of the token route; OAuth clients may add fields, which are ignored. A-DEV-13, A-DEV-14 */
export const PollDeviceAuthorization = Schema.Struct({
  grant_type: Schema.Literal(deviceGrantType),
  device_code: Schema.NonEmptyString
})
export type PollDeviceAuthorization = typeof PollDeviceAuthorization.Type

/** Still waiting for the owner or an admin. A-DEV-15; interval and expires_in in seconds, as they stand now. */
export const DeviceAuthorizationStatus = Schema.Struct({
  object: Schema.Literal("agent_api_key_device_authorization_status"),
  status: Schema.Literal("pending"),
  interval: Schema.Int,
  expires_in: Schema.Int
}).annotate({ identifier: "DeviceAuthorizationStatus" })
export type DeviceAuthorizationStatus = typeof DeviceAuthorizationStatus.Type

/** What the issued key will meet when it is used. gaps-1 E "200 body" */
export const PreflightCheck = Schema.Struct({
  code: Schema.String,
  status: Schema.Literals(["pass", "warn", "fail", "skipped"]),
  message: Schema.String
}).annotate({ identifier: "PreflightCheck" })
export type PreflightCheck = typeof PreflightCheck.Type

/** The issued key, shown once, and its preflight checks. A-DEV-16, A-DEV-17 */
export const DeviceAuthorizationToken = Schema.Struct({
  object: Schema.Literal("agent_api_key_device_authorization_token"),
  api_key: ApiKeyWithSecret,
  preflight: Schema.Struct({ ready: Schema.Boolean, checks: Schema.Array(PreflightCheck) })
}).annotate({ identifier: "DeviceAuthorizationToken" })
export type DeviceAuthorizationToken = typeof DeviceAuthorizationToken.Type

const trace_id = Schema.String
const open = { authentication: "none", scopes: [], validation: InvalidDeviceAuthorizationRequest.code } as const

/** The two routes of the device flow; an Authorization header is ignored. A-DEV-01, A-DEV-12 */
export class DeviceAuthorizationsApi extends HttpApiGroup.make("deviceAuthorizations")
  .add(
    HttpApiEndpoint.post("create", "/", {
      payload: CreateDeviceAuthorization,
      success: Schema.Struct({ ...DeviceAuthorization.fields, trace_id }).pipe(HttpApiSchema.status(201)),
      error: InvalidDeviceAuthorizationRequest.wire
    })
      .annotate(Traits, { ...open, rate: "device_create", strictBody: true })
      .annotate(OpenApi.Summary, "Ask an owner or admin for an agent key")
      .annotate(OpenApi.Description, "Valid for 15 minutes. Send the owner to verification_uri_complete, then poll."),
    HttpApiEndpoint.post("token", "/token", {
      payload: PollDeviceAuthorization,
      success: [
        Schema.Struct({ ...DeviceAuthorizationToken.fields, trace_id }),
        Schema.Struct({ ...DeviceAuthorizationStatus.fields, trace_id }).pipe(HttpApiSchema.status(202))
      ],
      error: [
        InvalidDeviceAuthorizationRequest.wire,
        InvalidDeviceCode.wire,
        DeviceCodeExpired.wire,
        AuthorizationDenied.wire,
        ApiKeyLimitReached.wire,
        SlowDown.wire
      ]
    })
      .annotate(Traits, { ...open, rate: "device_token" })
      .annotate(OpenApi.Summary, "Poll for the approved key")
      .annotate(OpenApi.Description, "202 while pending; 200 once with the key. Wait `interval` seconds between polls.")
  )
  .prefix("/v1/agent-api-key-device-authorizations")
  .annotate(OpenApi.Title, "Agent device authorization")
  .annotate(OpenApi.Description, "How a program without a key gets one, approved by a person.") {}
