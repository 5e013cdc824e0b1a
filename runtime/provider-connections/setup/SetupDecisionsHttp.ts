import { reply } from "@carteiro/http-edge/Reply.ts"
import { type Credentials, Routes } from "@carteiro/http-edge/Routes.ts"
import { mayDecide } from "@carteiro/schema/access/Roles.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import {
  AuthenticationError,
  InsufficientScope,
  OrganizationSuspended
} from "@carteiro/schema/conventions/SharedErrors.ts"
import { SetupDecisionsApi } from "@carteiro/schema/provider-connections/SetupSession.ts"
import { Effect } from "effect"
import { SignedInPeople } from "../../access/Access.ts"
import { SetupActions } from "./SetupActions.ts"
import { readSetup } from "./SetupState.ts"

/**
 * The decisions of people over the API: the cookie of the dashboard and its form token stand in the place of a key, and
 * what is wrong with the session is told before what is wrong with the body. gaps-2 L "Setup session routes"
 */
export const SetupDecisionsHttp = Routes.group(
  SetupDecisionsApi,
  Effect.gen(function* () {
    const actions = yield* SetupActions
    const find = yield* SignedInPeople

    const person = Effect.fnUntraced(function* (credentials: Credentials) {
      const found = yield* find(credentials)
      if (found === "no_cookie" && credentials.authorization.length > 0) {
        return yield* new InsufficientScope({ message: "An owner or admin decides this in the dashboard; no key may." })
      }
      if (typeof found === "string") {
        return yield* new AuthenticationError({ message: "Sign in to the dashboard first." })
      }
      const { holds_form_token, organization_id, organization_suspended, role } = found
      if (!mayDecide(role)) return yield* new InsufficientScope({ message: onlyDeciders })
      if (!holds_form_token) return yield* new InsufficientScope({ message: noFormToken })
      if (organization_suspended) return yield* new OrganizationSuspended()
      return { organization_id, role, now: credentials.now }
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
