import type { OperationReply } from "@carteiro/http-edge/Reply.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { ExchangeUpstreamCode } from "@carteiro/schema/provider-connections/ProviderConnectionsApi.ts"
import type { CreateSignupSession } from "@carteiro/schema/provider-connections/SignupSession.ts"
import { Context, type Effect } from "effect"
import type { ApiCall } from "../../tenancy/ApiCall.ts"
import type { ExchangeCall } from "../manage/CodeExchange.ts"
import type { CodeFields } from "../manage/UpstreamConnecting.ts"
import type { StoredSignup } from "./SignupState.ts"

type SignupCall = ApiCall<"organization_id" | "project_id" | "environment_id" | "environment" | "api_key_id">

/** A call of the launch page. */
interface LaunchCall {
  readonly now: number
  readonly requestId: string
  readonly traceId: string
}

/**
 * Hosted signups: an API key makes them, the bearer of the launch token completes them. gaps-2 L "Signup sessions and
 * onboarding"
 */
export class SignupActions extends Context.Service<
  SignupActions,
  {
    create(call: SignupCall, body: CreateSignupSession): OperationReply
    get(call: SignupCall, id: string): OperationReply
    /** Returns the session that a launch token opens. M-SIGN-08 */
    launch(id: string, token: string | undefined, now: number): Effect.Effect<StoredSignup, ApiError>
    /** M-SIGN-09..12 */
    complete(call: LaunchCall, session: StoredSignup, path: string, fields: CodeFields): OperationReply
    /** Runs the code route of the API, which may also complete a session. M-CONN-25 */
    oauth(call: ExchangeCall, path: string, body: ExchangeUpstreamCode): OperationReply
  }
>()("@carteiro/runtime/provider-connections/signup/SignupActions") {}
