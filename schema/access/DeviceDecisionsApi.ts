import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { EnvironmentKind, KeyScope, type OperationTraits, Traits } from "../conventions/Access.ts"
import { TraceId } from "../conventions/Ids.ts"
import { Timestamp } from "../conventions/Timestamp.ts"
import { DeviceProjectNotFound, DeviceRequestNotFound, InvalidDeviceDecision } from "./DeviceDecisionErrors.ts"

/** An open request as the approver sees it. gaps-1 E "Verification page" */
export const DeviceRequest = Schema.Struct({
  id: Schema.String,
  object: Schema.Literal("device_request"),
  user_code: Schema.String,
  /** The name that the client gives itself; it is not verified. */
  client_name: Schema.String,
  environment: EnvironmentKind,
  scopes: Schema.Array(KeyScope),
  key_expires_at: Schema.NullOr(Timestamp),
  source_ip: Schema.String,
  created_at: Timestamp,
  trace_id: TraceId
})
export type DeviceRequest = typeof DeviceRequest.Type

const decided = Schema.Struct({
  id: Schema.String,
  object: Schema.Literal("device_request"),
  status: Schema.Literals(["approved", "denied"]),
  trace_id: TraceId
})

const traits: OperationTraits = {
  authentication: "person",
  scopes: ["api_keys:admin"],
  rate: "write",
  validation: InvalidDeviceDecision.code,
  realTime: true
}
const params = { device_request_id: Schema.String }

/** Decisions of owners and admins about devices that ask for a key. A-DEV-16..19, gaps-1 E "Verification page", decision 0155 */
export class DeviceDecisionsApi extends HttpApiGroup.make("deviceDecisions")
  .add(
    HttpApiEndpoint.get("find", "/", {
      query: { user_code: Schema.String },
      success: DeviceRequest,
      error: DeviceRequestNotFound.wire
    }).annotate(Traits, { ...traits, rate: "read" }),
    HttpApiEndpoint.post("approve", "/:device_request_id/approve", {
      params,
      payload: Schema.Struct({ project_id: Schema.String, scopes: Schema.Array(Schema.String) }),
      success: decided,
      error: [InvalidDeviceDecision.wire, DeviceRequestNotFound.wire, DeviceProjectNotFound.wire]
    }).annotate(Traits, traits),
    HttpApiEndpoint.post("deny", "/:device_request_id/deny", {
      params,
      success: decided,
      error: DeviceRequestNotFound.wire
    }).annotate(Traits, traits)
  )
  .prefix("/people/device-requests") {}
