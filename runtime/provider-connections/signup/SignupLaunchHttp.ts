import { PublicUrl } from "@carteiro/http-edge/PublicUrl.ts"
import { reply } from "@carteiro/http-edge/Reply.ts"
import { type RawRequest, Routes } from "@carteiro/http-edge/Routes.ts"
import { signupCallbackPath, signupPagePath } from "@carteiro/schema/provider-connections/SignupSession.ts"
import { Effect, Layer } from "effect"
import { SignupActions } from "./SignupActions.ts"
import { bearerOf } from "./SignupSessionsHttp.ts"
import { SignupSettings } from "./SignupSettings.ts"
import { signupStatus } from "./SignupState.ts"

/**
 * Tells the script of the hosted signup where to lead a person, for the launch token that its page holds. gaps-2 L "Signup
 * sessions and onboarding"
 */
export const SignupLaunchHttp = Layer.unwrap(
  Effect.gen(function* () {
    const signups = yield* SignupActions
    const settings = yield* SignupSettings
    const publicUrl = yield* PublicUrl

    const launch = Effect.fnUntraced(function* (request: RawRequest) {
      const session = yield* signups.launch(request.params.id ?? "", bearerOf(request.authorization), request.now)
      const back = `${publicUrl()}${signupCallbackPath}`
      const simulated = session.environment === "sandbox"
      return reply(request, 200, {
        object: "upstream_signup_launch",
        status: signupStatus(session, request.now),
        simulated,
        return_url: session.return_url,
        redirect_uri: back,
        dialog_url: simulated ? null : dialogUrl(settings, back)
      })
    })

    return Routes.raw({
      operation: "signup.launch",
      method: "POST",
      path: `${signupPagePath}/:id/launch`,
      handler: launch
    })
  })
)

/** Returns the platform's own page, which sends people back with a code; the script adds its state. */
const dialogUrl = ({ appId, configId, dialogUrl: base }: SignupSettings, back: string): string | null => {
  if (base === undefined || appId === undefined) return null
  const url = new URL(base)
  url.searchParams.set("client_id", appId)
  if (configId !== undefined) url.searchParams.set("config_id", configId)
  url.searchParams.set("response_type", "code")
  url.searchParams.set("override_default_response_type", "true")
  url.searchParams.set("redirect_uri", back)
  return url.href
}
