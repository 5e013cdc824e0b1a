import { PublicUrl } from "@carteiro/http-edge/PublicUrl.ts"
import { reply } from "@carteiro/http-edge/Reply.ts"
import { type RawRequest, Routes } from "@carteiro/http-edge/Routes.ts"
import { InvalidSignupSessionToken } from "@carteiro/schema/provider-connections/SignupSessionErrors.ts"
import { Effect, Layer } from "effect"
import {
  SignupActions,
  SignupSettings,
  signupIdOf,
  signupStatus
} from "../../provider-connections/ProviderConnections.ts"
import { queryParameter } from "../kit/Forms.ts"
import { html } from "../kit/Html.ts"
import type { Page } from "../kit/Layout.ts"
import { entrance, type Redirect } from "../kit/Pages.ts"
import { NotHere } from "../kit/Refusals.ts"
import { script, scriptRoute } from "../kit/Scripts.ts"

const address = "/dashboard/connect"
/** The one address to which the platform's page returns; the state of its query begins with the session. U-CON-07 */
const callback = "/connect/upstream/callback"

/**
 * The hosted signup, for customers of a tenant who have no account here. The launch token stands in the fragment, which no
 * server sees: so this page alone has a script, of ours, that keeps it and completes the session with it.
 * gaps-2 L "Signup sessions and onboarding"
 */
export const ConnectHttp = Layer.unwrap(
  Effect.gen(function* () {
    const signups = yield* SignupActions
    const settings = yield* SignupSettings
    const publicUrl = yield* PublicUrl

    /** Returns the values for the script to the holder of the launch token. */
    const launch = Effect.fnUntraced(function* (request: RawRequest) {
      const token = /^Bearer +([\w-]{20,128})$/i.exec(request.authorization[0] ?? "")?.[1]
      if (token === undefined) return yield* new InvalidSignupSessionToken()
      const session = yield* signups.launch(request.params.id ?? "", token, request.now)
      const status = signupStatus(session, request.now)
      return reply(request, 200, {
        object: "upstream_signup_launch",
        status,
        simulated: session.environment === "sandbox",
        return_url: session.return_url,
        redirect_uri: `${publicUrl()}${callback}`,
        dialog_url: session.environment === "sandbox" ? null : dialogUrl(settings, `${publicUrl()}${callback}`)
      })
    })

    return Layer.mergeAll(
      entrance({
        operation: "connect",
        method: "GET",
        path: `${address}/:id`,
        handler: ({ params }) =>
          signupIdOf(params.id ?? "") === params.id ? Effect.succeed(launchPage) : new NotHere()
      }),
      entrance({ operation: "connectCallback", method: "GET", path: callback, handler: returned }),
      Routes.raw({ operation: "signup.launch", method: "POST", path: `${address}/:id/launch`, handler: launch }),
      scriptRoute("signup.script", signupScript)
    )
  })
)

/** Leads a person who comes back from the platform's page to the signup that they began. */
const returned = (request: RawRequest): Effect.Effect<Redirect, NotHere> => {
  const state = queryParameter(request, "state") ?? ""
  const id = state.split(".")[0] ?? ""
  if (signupIdOf(id) !== id) return Effect.fail(new NotHere())
  const query = new URLSearchParams({ state })
  for (const name of ["code", "error"]) {
    const value = queryParameter(request, name)
    if (value) query.set(name, value)
  }
  return Effect.succeed({ to: `${address}/${id}?${query}` })
}

/** The platform's own page, which sends people back here with a code; the script adds its state. */
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

const signupScript = script("connect", new URL("./connect.js", import.meta.url))

const launchPage: Page = {
  title: "Connect your account",
  bare: true,
  script: signupScript,
  body: html`<div class="card narrow" id="signup">
<p>You are about to connect your business account of the chat platform. You are asked there for your consent, and come back here afterwards.</p>
<noscript><p class="notice bad" role="alert">This page needs JavaScript, which your browser does not run.</p></noscript>
<p id="told" role="status" aria-live="polite">One moment.</p>
<div class="buttons"><button class="primary" id="go" type="button" hidden>Continue to the platform</button></div>
</div>`
}
