import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { EnvironmentKind, type OperationTraits, Traits } from "../conventions/Access.ts"
import { id, pathId, TraceId } from "../conventions/Ids.ts"
import {
  AuthenticationError,
  IdempotencyKeyConflict,
  InsufficientScope,
  ProviderError
} from "../conventions/SharedErrors.ts"
import { Timestamp } from "../conventions/Timestamp.ts"
import * as Connections from "./ProviderConnectionErrors.ts"
import { connectionRead } from "./ProviderConnectionsApi.ts"
import * as Errors from "./SetupSessionErrors.ts"

/** M-SETUP-01 */
export const SetupTarget = Schema.Literals([
  "upstream.chatapp",
  "pixprov2.payments",
  "pixprov1.payments",
  "pixprov1.agentic_payments",
  "speechprov1.tts",
  "speechprov2.tts",
  "speechprov3.tts",
  "speechprov1.stt"
]).annotate({ description: "Provider and use of the requested credentials." })
export type SetupTarget = typeof SetupTarget.Type

const when = (description: string) => Schema.NullOr(Timestamp).annotate({ description })

/** A handoff to a person who may enter credentials. M-SETUP-02..05, gaps-2 L "Setup session routes" */
export const SetupSession = Schema.Struct({
  id: id("pcs"),
  object: Schema.Literal("provider_credential_setup_session"),
  target: SetupTarget,
  status: Schema.Literals(["pending", "completed", "denied", "expired"]).annotate({
    description: "Status of the session: poll until it is no longer pending, and continue only when it is completed."
  }),
  url: Schema.NullOr(Schema.String).annotate({
    description:
      "Page on which an owner or admin enters the credentials. Only the create route and its replay return it."
  }),
  project_id: id("prj"),
  environment_id: id("env"),
  environment: EnvironmentKind,
  provider_connection_id: Schema.NullOr(id("pcn")).annotate({ description: "Id of the connection that was created." }),
  completed_stt_provider: Schema.NullOr(Schema.String).annotate({ description: "Transcription provider of the key." }),
  completed_by_role: Schema.NullOr(Schema.String).annotate({
    description: "Role of the person who completed it: owner or admin."
  }),
  completed_at: when("Time of completion; null before it."),
  denied_at: when("Time of denial; null otherwise."),
  expires_at: Timestamp,
  created_at: Timestamp,
  updated_at: Timestamp,
  trace_id: TraceId
}).annotate({ identifier: "ProviderCredentialSetupSession" })
export type SetupSession = typeof SetupSession.Type

/** Body of the create route. M-SETUP-01 */
export const CreateSetupSession = Schema.Struct({ target: SetupTarget }).annotate({
  identifier: "CreateProviderCredentialSetupSession",
  examples: [{ target: "pixprov2.payments" }]
})
export type CreateSetupSession = typeof CreateSetupSession.Type

/** Body of the complete route. gaps-2 L "Setup session routes" */
export const CompleteSetupSession = Schema.Struct({
  credentials: Schema.Record(Schema.String, Schema.Unknown).annotate({
    description:
      "upstream.chatapp: as in the manual registration; payments: api_key, and webhook_secret if the provider issued one; speech: api_key."
  })
}).annotate({
  identifier: "CompleteProviderCredentialSetupSession",
  examples: [{ credentials: { api_key: "key-of-the-provider" } }]
})

const params = { setup_session_id: pathId("pcs") }

/** Routes of handoffs of the calling key's environment. M-SETUP, gaps-2 L "Setup session routes" */
export class SetupSessionsApi extends HttpApiGroup.make("setupSessions")
  .annotate(OpenApi.Identifier, "providerConnections.setupSessions")
  .add(
    HttpApiEndpoint.post("create", "/", {
      payload: CreateSetupSession,
      success: SetupSession.pipe(HttpApiSchema.status(201)),
      error: [
        Errors.InvalidSetupSessionRequest.wire,
        Errors.SetupSttSandboxUnsupported.wire,
        Errors.TranscriptionByokInactive.wire,
        IdempotencyKeyConflict.wire
      ]
    })
      .annotate(Traits, {
        scopes: ["provider_connections:write"],
        rate: "write",
        validation: Errors.InvalidSetupSessionRequest.code,
        idempotency: "optional",
        perKey: true,
        restrictedWithoutCredit: true
      })
      .annotate(OpenApi.Summary, "Create a setup session")
      .annotate(
        OpenApi.Description,
        "Returns a page address, valid for 30 minutes, at which an owner or admin of your organization enters credentials that you never see."
      ),
    HttpApiEndpoint.get("get", "/:setup_session_id", {
      params,
      success: SetupSession,
      error: Errors.SetupSessionNotFound.wire
    })
      .annotate(Traits, connectionRead)
      .annotate(OpenApi.Summary, "Read a setup session")
      .annotate(OpenApi.Description, "Returns the session's status; its page address is not shown again.")
  )
  .prefix("/v1/provider-credential-setup-sessions")
  .annotate(OpenApi.Title, "Credential setup sessions")
  .annotate(OpenApi.Description, "Handoffs to people who may enter provider credentials.") {}

const decision: OperationTraits = {
  authentication: "own",
  scopes: [],
  rate: "handoff",
  validation: Errors.InvalidSetupSessionRequest.code,
  strictBody: true
}
const decisionErrors = [
  AuthenticationError.wire,
  InsufficientScope.wire,
  Errors.SetupSessionNotFound.wire,
  Errors.SetupSessionExpired.wire,
  Errors.SetupSessionAlreadyCompleted.wire
] as const

/** Routes of people's decisions, which take the dashboard session instead of a key. gaps-2 L "Setup session routes" */
export class SetupDecisionsApi extends HttpApiGroup.make("setupDecisions")
  .annotate(OpenApi.Identifier, "providerConnections.setupSessions")
  .add(
    HttpApiEndpoint.post("complete", "/:setup_session_id/complete", {
      params,
      payload: CompleteSetupSession,
      success: SetupSession,
      error: [
        ...decisionErrors,
        Errors.InvalidSetupSessionRequest.wire,
        Errors.SetupSessionDenied.wire,
        Errors.SetupTargetNotConfigured.wire,
        Connections.UpstreamTokenForeignApp.wire,
        Connections.ChatappCredentialsInvalid.wire,
        Connections.UpstreamConnectionAlreadyExists.wire,
        ProviderError.wire
      ]
    })
      .annotate(Traits, decision)
      .annotate(OpenApi.Summary, "Complete a setup session")
      .annotate(
        OpenApi.Description,
        "Takes the dashboard session cookie of an owner or admin and its form token in X-CSRF-Token instead of a key. Refused credentials leave the session pending."
      ),
    HttpApiEndpoint.post("deny", "/:setup_session_id/deny", {
      params,
      success: SetupSession,
      error: [...decisionErrors, Errors.SetupSessionAlreadyDenied.wire]
    })
      .annotate(Traits, decision)
      .annotate(OpenApi.Summary, "Deny a setup session")
      .annotate(OpenApi.Description, "Takes the dashboard session like the complete route.")
  )
  .prefix("/v1/provider-credential-setup-sessions")
  .annotate(OpenApi.Title, "Credential setup decisions")
  .annotate(OpenApi.Description, "Decisions of owners and admins about setup sessions.") {}
