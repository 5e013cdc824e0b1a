import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { type OperationTraits, Traits } from "../conventions/Access.ts"
import { pathId, TraceId } from "../conventions/Ids.ts"
import { ProviderConnectionNotFound } from "./ProviderConnectionErrors.ts"
import { CompleteSetupSession, SetupSession } from "./SetupSession.ts"
import * as Errors from "./SetupSessionErrors.ts"

const traits: OperationTraits = {
  authentication: "person",
  scopes: ["provider_connections:write"],
  rate: "write",
  validation: Errors.InvalidSetupSessionRequest.code
}
const setup = { setup_session_id: pathId("pcs") }

/**
 * What people decide about connections beside the API: the one that payments use, and the credentials that an integration
 * asked for. gaps-2 L "Setup session routes", gaps-3 C "Which provider a payment uses", decision 0155
 */
export class ConnectionDecisionsApi extends HttpApiGroup.make("connectionDecisions")
  .add(
    HttpApiEndpoint.post("select", "/:connection_id/select", {
      params: { connection_id: pathId("pcn") },
      success: Schema.Struct({ id: Schema.String, object: Schema.Literal("provider_connection"), trace_id: TraceId }),
      error: ProviderConnectionNotFound.wire
    }).annotate(Traits, traits),
    HttpApiEndpoint.get("setup", "/setup-sessions/:setup_session_id", {
      params: setup,
      success: SetupSession,
      error: Errors.SetupSessionNotFound.wire
    }).annotate(Traits, { ...traits, scopes: ["provider_connections:read"], rate: "read", realTime: true }),
    HttpApiEndpoint.post("completeSetup", "/setup-sessions/:setup_session_id/complete", {
      params: setup,
      payload: CompleteSetupSession,
      success: SetupSession,
      error: [Errors.SetupSessionNotFound.wire, Errors.InvalidSetupSessionRequest.wire]
    }).annotate(Traits, { ...traits, realTime: true }),
    HttpApiEndpoint.post("denySetup", "/setup-sessions/:setup_session_id/deny", {
      params: setup,
      success: SetupSession,
      error: Errors.SetupSessionNotFound.wire
    }).annotate(Traits, { ...traits, realTime: true })
  )
  .prefix("/people/connections") {}
