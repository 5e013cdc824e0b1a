import type { RawRequest } from "@carteiro/http-edge/Routes.ts"
import { signupCallbackPath, signupIdOf, signupPagePath } from "@carteiro/schema/provider-connections/SignupSession.ts"
import { Effect, Layer } from "effect"
import { queryParameter } from "../kit/Forms.ts"
import { html } from "../kit/Html.ts"
import type { Page } from "../kit/Layout.ts"
import { entrance, type Redirect } from "../kit/Pages.ts"
import { NotHere } from "../kit/Refusals.ts"
import { script, scriptRoute } from "../kit/Scripts.ts"

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
  return Effect.succeed({ to: `${signupPagePath}/${id}?${query}` })
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

/**
 * The hosted signup, for customers of a tenant who have no account here. The launch token stands in the fragment, which no
 * server sees: so this page alone has a script, of ours, that keeps it and completes the session with it.
 */
export const ConnectHttp = Layer.mergeAll(
  entrance({
    operation: "connect",
    method: "GET",
    path: `${signupPagePath}/:id`,
    handler: ({ params }) => (signupIdOf(params.id ?? "") === params.id ? Effect.succeed(launchPage) : new NotHere())
  }),
  entrance({ operation: "connectCallback", method: "GET", path: signupCallbackPath, handler: returned }),
  scriptRoute("signup.script", signupScript)
)
