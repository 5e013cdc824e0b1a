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

/** M-SIGN-02 */
const SignupSessionStatus = Schema.Literals(["pending", "processing", "completed", "expired"]).annotate({
  description: "pending: not ended yet; processing: being completed now; completed; expired: its half hour is over."
})

/** A hosted signup. M-SIGN-01..04 */
export const SignupSession = Schema.Struct({
  id: SignupSessionId,
  object: Schema.Literal("upstream_signup_session"),
  status: SignupSessionStatus,
  url: Schema.NullOr(Schema.String).annotate({
    description: "Send your customer there. Shown by the create route and its replay only; null on every read."
  }),
  return_url: Schema.String.annotateKey({ description: "Where the person is sent back to." }),
  end_customer_ref: Schema.NullOr(Schema.String).annotate({ description: "Your own reference of the customer." }),
  project_id: id("prj"),
  environment_id: id("env"),
  environment: EnvironmentKind,
  expires_at: Timestamp,
  completed_at: Schema.NullOr(Timestamp).annotate({ description: "Null before it is completed." }),
  provider_connection_id: Schema.NullOr(id("pcn")).annotate({ description: "The connection it ended in." }),
  created_at: Timestamp,
  updated_at: Timestamp,
  trace_id: TraceId
}).annotate({ identifier: "UpstreamSignupSession" })
export type SignupSession = typeof SignupSession.Type

/** Body of the create route. M-SIGN-05 */
export const CreateSignupSession = Schema.Struct({
  return_url: text(1, 2048).annotate({
    description: "Where the person is sent back to; its origin has to be agreed with the operator of this service."
  }),
  end_customer_ref: nullableOptional(text(1, 200).annotate({ description: "Your own reference of the customer." }))
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

/** What an embedded signup of your own needs; never the app's secret. M-CONN-35..37 */
export const OnboardingConfig = Schema.Struct({
  object: Schema.Literal("upstream_onboarding_config"),
  mode: Schema.Literal("embedded_signup"),
  app_id: Schema.NullOr(Schema.String).annotate({ description: "Our app at the platform." }),
  config_id: Schema.NullOr(Schema.String).annotate({ description: "The signup configuration of that app." }),
  graph_api_version: Schema.String.annotateKey({ description: "Version of the platform's API." }),
  sdk_url: Schema.NullOr(Schema.String).annotate({ description: "The platform's script that opens the signup." }),
  allowed_message_origins: Schema.Array(Schema.String).annotate({
    description: "Origins whose messages to your window belong to the signup; ignore others."
  }),
  message_type: Schema.Literal("WA_EMBEDDED_SIGNUP"),
  login_options: Schema.Record(Schema.String, Schema.Unknown).annotate({
    description: "What the platform's login is called with."
  }),
  completion_endpoint: Schema.Literal("/v1/provider-connections/upstream/oauth"),
  manual_credentials_endpoint: Schema.Literal("/v1/provider-connections/upstream"),
  trace_id: TraceId
}).annotate({ identifier: "UpstreamOnboardingConfig" })

const params = {
  signup_session_id: Schema.String.annotate({ description: "Id of the signup session: mss_ and a UUID." })
}

/** Hosted signups of the calling key's environment. M-SIGN, gaps-2 L "Signup sessions and onboarding" */
export class SignupSessionsApi extends HttpApiGroup.make("signupSessions")
  .annotate(OpenApi.Identifier, "providerConnections.signupSessions")
  .add(
    HttpApiEndpoint.get("onboardingConfig", "/onboarding-config", { success: OnboardingConfig })
      .annotate(Traits, connectionRead)
      .annotate(OpenApi.Identifier, "providerConnections.onboardingConfig")
      .annotate(OpenApi.Summary, "Read what an embedded signup needs")
      .annotate(OpenApi.Description, "For a signup in your own pages; hosted signup sessions need none of it."),
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
        "Answers an address for 30 minutes, at which your customer connects an account without one here."
      ),
    HttpApiEndpoint.get("get", "/signup-sessions/:signup_session_id", {
      params,
      success: SignupSession,
      error: UpstreamSignupSessionNotFound.wire
    })
      .annotate(Traits, connectionRead)
      .annotate(OpenApi.Summary, "Read a signup session")
      .annotate(OpenApi.Description, "Where it stands; its address is not shown again."),
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
        "Called by the launch page with the launch token as bearer. Again after it succeeded it answers the same."
      )
  )
  .prefix("/v1/provider-connections/upstream")
  .annotate(OpenApi.Title, "Signup sessions")
  .annotate(OpenApi.Description, "Hosted pages at which your customers connect accounts of the chat platform.") {}
