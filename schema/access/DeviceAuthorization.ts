import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { EnvironmentKind, Traits } from "../conventions/Access.ts"
import { id, TraceId } from "../conventions/Ids.ts"
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

/** The only grant type that the token route accepts. A-DEV-13 */
export const deviceGrantType = "urn:ietf:params:oauth:grant-type:device_code"

/** Body of the create route, in the order its fields are checked. A-DEV-03..06 */
export const CreateDeviceAuthorization = Schema.Struct({
  client_name: label(1, 80).annotate({
    description: "Name of the requesting program, shown to the person who approves: 1 to 80 characters after trimming."
  }),
  environment: EnvironmentKind,
  scopes: RequestedScopes.annotate({ description: "Scopes requested for the key, at most 64." }),
  expires_at: Schema.optionalKey(Schema.NullOr(TimestampInput)).annotate({
    description: "Time at which the issued key expires. RFC 3339 with a timezone."
  })
}).annotate({
  examples: [{ client_name: "Support agent", environment: "sandbox", scopes: ["messages:read"] }]
})
export type CreateDeviceAuthorization = typeof CreateDeviceAuthorization.Type

/** A started request and its codes. A-DEV-02, A-DEV-07..10; expires_in and interval in seconds. */
export const DeviceAuthorization = Schema.Struct({
  id: id("dva"),
  object: Schema.Literal("agent_api_key_device_authorization"),
  device_code: Schema.NonEmptyString.annotateKey({ description: "Code to poll with; keep it secret." }),
  user_code: Schema.NonEmptyString.annotateKey({ description: "Code that the approving person types or compares." }),
  verification_uri: Schema.String.annotateKey({ description: "Page on which the person types the code." }),
  verification_uri_complete: Schema.String.annotateKey({ description: "verification_uri with the code included." }),
  expires_in: Schema.Int.annotateKey({ description: "Seconds until the request can no longer be approved." }),
  interval: Schema.Int.annotateKey({ description: "Seconds to wait between polls." })
}).annotate({ identifier: "DeviceAuthorization" })
export type DeviceAuthorization = typeof DeviceAuthorization.Type

/** Body of the token route; OAuth clients may add fields, which are ignored. A-DEV-13, A-DEV-14 */
export const PollDeviceAuthorization = Schema.Struct({
  grant_type: Schema.Literal(deviceGrantType),
  device_code: Schema.NonEmptyString.annotate({ description: "The device_code from the create response." })
}).annotate({ examples: [{ grant_type: deviceGrantType, device_code: "dvc_from_the_create_route" }] })
export type PollDeviceAuthorization = typeof PollDeviceAuthorization.Type

/** A request that still waits for the owner or an admin. A-DEV-15; interval and expires_in in seconds, as of now. */
export const DeviceAuthorizationStatus = Schema.Struct({
  object: Schema.Literal("agent_api_key_device_authorization_status"),
  status: Schema.Literal("pending"),
  interval: Schema.Int.annotateKey({ description: "Seconds to wait between polls; it grows after polling too fast." }),
  expires_in: Schema.Int.annotateKey({ description: "Seconds until the request can no longer be approved." })
}).annotate({ identifier: "DeviceAuthorizationStatus" })
export type DeviceAuthorizationStatus = typeof DeviceAuthorizationStatus.Type

/** One check of the conditions that the issued key meets when it is used. gaps-1 E "200 body" */
export const PreflightCheck = Schema.Struct({
  code: Schema.String.annotateKey({ description: "Name of the check. New checks may appear." }),
  status: Schema.Literals(["pass", "warn", "fail", "skipped"]).annotate({ description: "Outcome of the check." }),
  message: Schema.String.annotateKey({ description: "The outcome in a sentence." })
}).annotate({ identifier: "PreflightCheck" })
export type PreflightCheck = typeof PreflightCheck.Type

/** The issued key, shown once, and its preflight checks. A-DEV-16, A-DEV-17 */
export const DeviceAuthorizationToken = Schema.Struct({
  object: Schema.Literal("agent_api_key_device_authorization_token"),
  api_key: ApiKeyWithSecret.annotateKey({ description: "The issued key with its secret, shown once." }),
  preflight: Schema.Struct({
    ready: Schema.Boolean.annotateKey({ description: "Whether no check failed." }),
    checks: Schema.Array(PreflightCheck).annotateKey({ description: "Each check with its outcome." })
  }).annotateKey({ description: "Checks of the conditions that the key meets when it is used." })
}).annotate({ identifier: "DeviceAuthorizationToken" })
export type DeviceAuthorizationToken = typeof DeviceAuthorizationToken.Type

const trace_id = TraceId
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
      .annotate(
        OpenApi.Description,
        "Returns 202 until a person decides, then 200 once with the key. Wait `interval` seconds between polls."
      )
  )
  .prefix("/v1/agent-api-key-device-authorizations")
  .annotate(OpenApi.Title, "Agent device authorization")
  .annotate(OpenApi.Description, "Issues a key to a program after a person approves.") {}
