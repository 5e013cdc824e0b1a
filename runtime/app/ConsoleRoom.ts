import { GalleryShown, pages } from "@carteiro/console/Console.ts"
import { readCookie, sessionCookie } from "@carteiro/console/Cookies.ts"
import * as Ports from "@carteiro/console/Ports.ts"
import { Effect, Layer } from "effect"
import { Environments, SignedInPeople, type SignedInPerson } from "../access/Access.ts"
import { defineRoom } from "../room/Room.ts"

/** Knows people by the sessions of the console. */
const signedInPeople = Layer.effect(
  SignedInPeople,
  Effect.map(Ports.Sessions, (sessions) =>
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
)

/** The pages for people. Rooms answer their ports; of the service of environments pages see the list alone. Decision 0176 */
export const room = defineRoom({
  name: "console",
  settings: ({ mode }: { readonly mode: string }) => Layer.succeed(GalleryShown, mode === "development"),
  services: signedInPeople,
  pages: pages.pipe(Layer.provide(Layer.effect(Ports.Environments, Environments)))
})
