import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { EnvironmentKind, Traits } from "../conventions/Access.ts"
import { id, TraceId } from "../conventions/Ids.ts"
import { nullableOptional } from "../conventions/RequestValidation.ts"
import { IdempotencyKeyConflict, ProviderError } from "../conventions/SharedErrors.ts"
import { text } from "../conventions/Text.ts"
import { Timestamp } from "../conventions/Timestamp.ts"
import * as Errors from "./ProviderConnectionErrors.ts"
import { SignupSessionId } from "./ProviderConnectionEvents.ts"
import { connectionRead, exchangeFields } from "./ProviderConnectionsApi.ts"
import {
  InvalidSignupSessionRequest,
  InvalidSignupSessionToken,
  UpstreamSignupSessionAlreadyCompleted,
  UpstreamSignupSessionExpired,
  UpstreamSignupSessionNotFound
} from "./SignupSessionErrors.ts"

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/**
 * Returns the session's id for its UUID, with or without the prefix; undefined for any other text. gaps-2 L
 * "signup_session_id is a UUID, ids start with 'mss_'"
 */
export const signupIdOf = (text: string): string | undefined => {
  const bare = text.startsWith("mss_") ? text.slice(4) : text
  const lower = bare.toLowerCase()
  return uuid.test(lower) ? `mss_${lower}` : undefined
}

/** The page of the hosted signup, without the session's id. */
export const signupPagePath = "/dashboard/connect"

/** The one address to which the platform's page returns; the state of its query begins with the session. U-CON-07 */
export const signupCallbackPath = "/connect/upstream/callback"

/** M-SIGN-02 */
const SignupSessionStatus = Schema.Literals(["pending", "processing", "completed", "expired"]).annotate({
  description: "pending: not ended; processing: being completed now; completed; expired: its 30 minutes are over."
})

/** A hosted signup. M-SIGN-01..04 */
export const SignupSession = Schema.Struct({
  id: SignupSessionId,
  object: Schema.Literal("upstream_signup_session"),
  status: SignupSessionStatus,
  url: Schema.NullOr(Schema.String).annotate({
    description: "Address for your customer. Only the create route and its replay return it; null on every read."
  }),
  return_url: Schema.String.annotateKey({ description: "Address to which the person returns." }),
  end_customer_ref: Schema.NullOr(Schema.String).annotate({ description: "Your own reference for the customer." }),
  project_id: id("prj"),
  environment_id: id("env"),
  environment: EnvironmentKind,
  expires_at: Timestamp,
  completed_at: Schema.NullOr(Timestamp).annotate({ description: "Time of completion; null before it." }),
  provider_connection_id: Schema.NullOr(id("pcn")).annotate({ description: "Id of the connection that was created." }),
  created_at: Timestamp,
  updated_at: Timestamp,
  trace_id: TraceId
}).annotate({ identifier: "UpstreamSignupSession" })
export type SignupSession = typeof SignupSession.Type

/** Body of the create route. M-SIGN-05 */
export const CreateSignupSession = Schema.Struct({
  return_url: text(1, 2048).annotate({
    description: "Address to which the person returns; its origin must be agreed with the operator of this service."
  }),
  end_customer_ref: nullableOptional(text(1, 200).annotate({ description: "Your own reference for the customer." }))
}).annotate({
  identifier: "CreateUpstreamSignupSession",
  examples: [{ return_url: "https://app.example.com/connected", end_customer_ref: "customer-42" }]
})
export type CreateSignupSession = typeof CreateSignupSession.Type

/** Body of the complete route, which the launch page calls. gaps-2 L "Signup sessions and onboarding" */
export const CompleteSignupSession = Schema.Struct(exchangeFields).annotate({
  identifier: "CompleteUpstreamSignupSession",
  examples: [{ code: "AQB-from-the-signup" }]
})
export type CompleteSignupSession = typeof CompleteSignupSession.Type

/** The settings of an embedded signup in the caller's own pages; never the app's secret. M-CONN-35..37 */
export const OnboardingConfig = Schema.Struct({
  object: Schema.Literal("upstream_onboarding_config"),
  mode: Schema.Literal("embedded_signup"),
  app_id: Schema.NullOr(Schema.String).annotate({ description: "Id of this service's app at the platform." }),
  config_id: Schema.NullOr(Schema.String).annotate({ description: "The signup configuration of that app." }),
  graph_api_version: Schema.String.annotateKey({ description: "Version of the platform's API." }),
  sdk_url: Schema.NullOr(Schema.String).annotate({ description: "The platform's script that opens the signup." }),
  allowed_message_origins: Schema.Array(Schema.String).annotate({
    description: "Origins whose window messages belong to the signup; ignore all others."
  }),
  message_type: Schema.Literal("WA_EMBEDDED_SIGNUP"),
  login_options: Schema.Record(Schema.String, Schema.Unknown).annotate({
    description: "Parameters for the platform's login."
  }),
  completion_endpoint: Schema.Literal("/v1/provider-connections/upstream/oauth"),
  manual_credentials_endpoint: Schema.Literal("/v1/provider-connections/upstream"),
  trace_id: TraceId
}).annotate({ identifier: "UpstreamOnboardingConfig" })

const params = {
  signup_session_id: Schema.String.annotate({
    description: "Id of the signup session: mss_ and a UUID.",
    examples: ["mss_0b6ff1ae-5f5e-4c5e-9d5a-3f1d6c1c2b7e"]
  })
}

/** Routes of hosted signups of the calling key's environment. M-SIGN, gaps-2 L "Signup sessions and onboarding" */
export class SignupSessionsApi extends HttpApiGroup.make("signupSessions")
  .annotate(OpenApi.Identifier, "providerConnections.signupSessions")
  .add(
    HttpApiEndpoint.get("onboardingConfig", "/onboarding-config", { success: OnboardingConfig })
      .annotate(Traits, connectionRead)
      .annotate(OpenApi.Identifier, "providerConnections.onboardingConfig")
      .annotate(OpenApi.Summary, "Read the settings of an embedded signup")
      .annotate(
        OpenApi.Description,
        "Settings for a signup in your own pages; hosted signup sessions do not need them."
      ),
    HttpApiEndpoint.post("create", "/signup-sessions", {
      payload: CreateSignupSession,
      success: SignupSession.pipe(HttpApiSchema.status(201)),
      error: [
        InvalidSignupSessionRequest.wire,
        Errors.UpstreamConnectionAlreadyExists.wire,
        IdempotencyKeyConflict.wire
      ]
    })
      .annotate(Traits, {
        scopes: ["provider_connections:write"],
        rate: "write",
        validation: InvalidSignupSessionRequest.code,
        idempotency: "optional",
        perKey: true,
        restrictedWithoutCredit: true
      })
      .annotate(OpenApi.Summary, "Create a signup session")
      .annotate(
        OpenApi.Description,
        "Returns a page address, valid for 30 minutes, at which your customer connects an account without a login here."
      ),
    HttpApiEndpoint.get("get", "/signup-sessions/:signup_session_id", {
      params,
      success: SignupSession,
      error: UpstreamSignupSessionNotFound.wire
    })
      .annotate(Traits, connectionRead)
      .annotate(OpenApi.Summary, "Read a signup session")
      .annotate(OpenApi.Description, "Returns the session's status; its page address is not shown again."),
    HttpApiEndpoint.post("complete", "/signup-sessions/:signup_session_id/complete", {
      params,
      payload: CompleteSignupSession,
      success: SignupSession,
      error: [
        InvalidSignupSessionRequest.wire,
        InvalidSignupSessionToken.wire,
        UpstreamSignupSessionExpired.wire,
        UpstreamSignupSessionAlreadyCompleted.wire,
        Errors.UpstreamBizAccountMissing.wire,
        Errors.UpstreamTokenForeignApp.wire,
        Errors.ChatappCredentialsInvalid.wire,
        Errors.UpstreamConnectionAlreadyExists.wire,
        ProviderError.wire
      ]
    })
      .annotate(Traits, {
        authentication: "own",
        scopes: [],
        rate: "handoff",
        validation: InvalidSignupSessionRequest.code,
        strictBody: true
      })
      .annotate(OpenApi.Summary, "Complete a signup session")
      .annotate(
        OpenApi.Description,
        "The launch page calls it with the launch token as bearer. A repeated call after success returns an unchanged response."
      )
  )
  .prefix("/v1/provider-connections/upstream")
  .annotate(OpenApi.Title, "Signup sessions")
  .annotate(OpenApi.Description, "Hosted pages on which your customers connect accounts of the chat platform.") {}
