import type { RawRequest } from "@carteiro/http-edge/Routes.ts"
import { Context, Effect, Layer } from "effect"
import { ApiKeys, Environments } from "../../access/Access.ts"
import { NumberDirectory } from "../../phone-numbers/PhoneNumbers.ts"
import { readCookie, sessionCookie } from "../kit/Cookies.ts"
import { Sessions } from "../sessions/Sessions.ts"

/** Values of a reader's sandbox that calls of the guides name. */
interface Values {
  readonly number: string
  /** How the newest key of the sandbox begins; the rest is shown once, when it is made. */
  readonly keyPrefix: string | undefined
}

/** Sandboxes that are looked through for one with a number. */
const mostSandboxes = 5

/** Finds what guides fill in for a person who is signed in to the console. */
export class ReaderValues extends Context.Service<
  ReaderValues,
  { of(request: RawRequest): Effect.Effect<Values | undefined> }
>()("@carteiro/runtime/dashboard/docs/ReaderValues") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const environments = yield* Environments
      const numbers = yield* NumberDirectory
      const keys = yield* ApiKeys
      return ReaderValues.of({
        of: Effect.fnUntraced(function* (request) {
          const token = readCookie(request.headers.cookie, sessionCookie)
          const session = token === undefined ? undefined : yield* sessions.find(token, request.now)
          if (session === undefined) return undefined
          const all = yield* environments.list(session.organization.id)
          for (const { id } of all.filter(({ kind }) => kind === "sandbox").slice(0, mostSandboxes)) {
            const [number] = yield* numbers.list(id, {}, undefined, 1)
            if (number === undefined) continue
            const [key] = yield* keys.list(id, undefined, 1)
            return { number: number.id, keyPrefix: key?.key_prefix }
          }
          return undefined
        })
      })
    })
  )
}
