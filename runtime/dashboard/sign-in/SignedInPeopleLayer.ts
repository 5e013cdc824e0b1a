import { Effect, Layer } from "effect"
import { SignedInPeople, type SignedInPerson } from "../../access/Access.ts"
import { readCookie, sessionCookie } from "../kit/Cookies.ts"
import { SessionRepo } from "../sessions/SessionRepo.ts"
import { Sessions } from "../sessions/Sessions.ts"

/** Knows people by the sessions of the console. */
export const signedInPeopleLayer = Layer.effect(
  SignedInPeople,
  Effect.map(Sessions, (sessions) =>
    Effect.fnUntraced(function* ({ cookie, csrfToken, now }) {
      const token = readCookie(cookie, sessionCookie)
      if (token === undefined) return "no_cookie"
      const session = yield* sessions.find(token, now)
      if (session === undefined) return "no_session"
      const person: SignedInPerson = {
        organization_id: session.organization.id,
        organization_suspended: session.organization.suspended_at !== null,
        role: session.member.role,
        holds_form_token: sessions.readForm(token, csrfToken ?? "") !== undefined
      }
      return person
    })
  )
).pipe(Layer.provide(Sessions.layer), Layer.provide(SessionRepo.layer))
