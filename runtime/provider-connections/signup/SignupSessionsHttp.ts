import { reply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { SignupSessionsApi } from "@carteiro/schema/provider-connections/SignupSession.ts"
import { Effect } from "effect"
import { SignupActions } from "./SignupActions.ts"
import { SignupSettings } from "./SignupSettings.ts"

/** Routes of `/v1/provider-connections/upstream`. gaps-2 L "Signup sessions and onboarding" */
export const SignupSessionsHttp = Routes.group(
  SignupSessionsApi,
  Effect.gen(function* () {
    const actions = yield* SignupActions
    const { appId, configId, dialogUrl, sdkUrl, version } = yield* SignupSettings
    return Routes.handlers(SignupSessionsApi, {
      onboardingConfig: (request) =>
        Effect.succeed(
          reply(request, 200, {
            object: "upstream_onboarding_config",
            mode: "embedded_signup",
            app_id: appId ?? null,
            config_id: configId ?? null,
            graph_api_version: version,
            sdk_url: sdkUrl ?? null,
            allowed_message_origins: sdkUrl === undefined ? [] : messageOrigins(dialogUrl),
            message_type: "WA_EMBEDDED_SIGNUP",
            login_options: {
              config_id: configId ?? null,
              response_type: "code",
              override_default_response_type: true,
              extras: { version: "v4", setup: {}, sessionInfoVersion: "3" }
            },
            completion_endpoint: "/v1/provider-connections/upstream/oauth",
            manual_credentials_endpoint: "/v1/provider-connections/upstream"
          })
        ),
      create: (request) => actions.create(request, request.body),
      get: (request) => actions.get(request, request.params.signup_session_id),
      complete: Routes.authenticated(
        ({ authorization, now, params }) =>
          actions.launch(params.signup_session_id ?? "", bearerOf(authorization), now),
        (request, session) =>
          actions.complete(
            request,
            session,
            `/v1/provider-connections/upstream/signup-sessions/${session.id}/complete`,
            request.body
          )
      )
    })
  })
)

/** Returns the origins of the windows that the signup opens: the dialog's, and its twin on the web host. U-CON-07 */
const messageOrigins = (dialogUrl: string | undefined): ReadonlyArray<string> => {
  const { origin } = new URL(dialogUrl ?? "https://www.facebook.com")
  return origin === "https://www.facebook.com" ? [origin, "https://web.facebook.com"] : [origin]
}

/** Returns the bearer token when there is exactly one Authorization header. */
export const bearerOf = (authorization: ReadonlyArray<string>): string | undefined =>
  authorization.length === 1 ? /^Bearer +([\w-]{20,128})$/i.exec(authorization[0] ?? "")?.[1] : undefined
