import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { type OperationTraits, Traits } from "../conventions/Access.ts"
import { pathId, TraceId } from "../conventions/Ids.ts"
import { rowsOf, rowsQuery } from "../conventions/Page.ts"
import { ConnectionChannel, ConnectionProvider, ConnectionStatus, ProviderConnection } from "./ProviderConnection.ts"
import { ProviderConnectionNotFound } from "./ProviderConnectionErrors.ts"
import { CompleteSetupSession, SetupSession } from "./SetupSession.ts"
import * as Errors from "./SetupSessionErrors.ts"

/** A connection with what people are told of it: what is wrong, what to do, and whether payments use it. */
export const OwnConnection = Schema.Struct({
  ...ProviderConnection.fields,
  /** True for the connection that payments use. */
  is_selected: Schema.Boolean,
  /** Faults in the order in which they must be resolved. */
  remedies: Schema.Array(Schema.Struct({ problem: Schema.String, remedy: Schema.String }))
})
export type OwnConnection = typeof OwnConnection.Type

const traits: OperationTraits = {
  authentication: "person",
  scopes: ["provider_connections:write"],
  rate: "write",
  validation: Errors.InvalidSetupSessionRequest.code
}
const reading: OperationTraits = { ...traits, scopes: ["provider_connections:read"], rate: "read" }
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
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...rowsQuery,
        provider: Schema.optionalKey(ConnectionProvider),
        channel: Schema.optionalKey(ConnectionChannel),
        status: Schema.optionalKey(ConnectionStatus)
      },
      success: rowsOf(OwnConnection)
    }).annotate(Traits, reading),
    HttpApiEndpoint.get("get", "/:connection_id", {
      params: { connection_id: pathId("pcn") },
      success: Schema.Struct({ ...OwnConnection.fields, trace_id: TraceId }),
      error: ProviderConnectionNotFound.wire
    }).annotate(Traits, reading),
    /** Makes the check of the environment's chat account due now. */
    HttpApiEndpoint.post("lookNow", "/look-now", {
      success: Schema.Struct({ object: Schema.Literal("connection_check"), trace_id: TraceId })
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
