import { reply } from "@carteiro/http-edge/Reply.ts"
import { type Credentials, Routes } from "@carteiro/http-edge/Routes.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import {
  AuthenticationError,
  InsufficientScope,
  OrganizationSuspended
} from "@carteiro/schema/conventions/SharedErrors.ts"
import { SetupDecisionsApi } from "@carteiro/schema/provider-connections/SetupSession.ts"
import { Effect } from "effect"
import { mayDecide } from "../../access/Access.ts"
import { readSetup, SetupActions } from "../../provider-connections/ProviderConnections.ts"
import { readCookie, sessionCookie } from "../kit/Cookies.ts"
import { Sessions } from "../sessions/Sessions.ts"

/**
 * The decisions of people over the API: the cookie of the dashboard and its form token stand in the place of a key, and
 * what is wrong with the session is told before what is wrong with the body. gaps-2 L "Setup session routes"
 */
export const SetupDecisionsHttp = Routes.group(
  SetupDecisionsApi,
  Effect.gen(function* () {
    const actions = yield* SetupActions
    const sessions = yield* Sessions

    const person = Effect.fnUntraced(function* ({ authorization, cookie, csrfToken, now }: Credentials) {
      const token = readCookie(cookie, sessionCookie)
      if (token === undefined && authorization.length > 0) {
        return yield* new InsufficientScope({ message: "An owner or admin decides this in the dashboard; no key may." })
      }
      const session = token === undefined ? undefined : yield* sessions.find(token, now)
      if (token === undefined || session === undefined) {
        return yield* new AuthenticationError({ message: "Sign in to the dashboard first." })
      }
      if (!mayDecide(session.member.role)) return yield* new InsufficientScope({ message: onlyDeciders })
      if (sessions.readForm(token, csrfToken ?? "") === undefined)
        return yield* new InsufficientScope({ message: noFormToken })
      if (session.organization.suspended_at !== null) return yield* new OrganizationSuspended()
      return { organization_id: session.organization.id, role: session.member.role, now }
    })

    const opened =
      (decision: "complete" | "deny") =>
      (credentials: Credentials): Effect.Effect<Opened, ApiError> =>
        Effect.flatMap(person(credentials), (by) =>
          Effect.map(actions.open(by, credentials.params.setup_session_id ?? "", decision), (session) => ({
            by,
            session
          }))
        )

    return Routes.handlers(SetupDecisionsApi, {
      complete: Routes.authenticated(opened("complete"), (request, { by, session }) =>
        Effect.map(actions.complete(session, request.body.credentials, by), (done) =>
          reply(request, 200, readSetup(done, request.now, null))
        )
      ),
      deny: Routes.authenticated(opened("deny"), (request, { by, session }) =>
        Effect.map(actions.deny(session, by), (done) => reply(request, 200, readSetup(done, request.now, null)))
      )
    })
  })
)

type Opened = {
  readonly by: { readonly organization_id: string; readonly role: string; readonly now: number }
  readonly session: Effect.Success<ReturnType<SetupActions["Service"]["open"]>>
}

const onlyDeciders = "Only owners and admins of the organization may do this."
const noFormToken = "X-CSRF-Token has to hold the form token of this session."
