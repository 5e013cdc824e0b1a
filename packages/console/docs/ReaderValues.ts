import type { RawRequest } from "@carteiro/http-edge/Routes.ts"
import { Context, Effect, Layer } from "effect"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { visitOf } from "../kit/Pages.ts"
import { Environments } from "../ports/Environments.ts"
import { Sessions } from "../ports/Sessions.ts"

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
>()("@carteiro/console/docs/ReaderValues") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const environments = yield* Environments
      const { mintedKeys, phoneNumbers } = yield* Operations
      const query = { limit: "1" }

      const find = Effect.fnUntraced(function* (request: RawRequest) {
        const visit = yield* visitOf(request)
        if (visit === undefined) return undefined
        const all = yield* visit.environments
        for (const sandbox of all.filter(({ kind }) => kind === "sandbox").slice(0, mostSandboxes)) {
          const caller = asVisitor(visit, sandbox)
          const [number] = (yield* phoneNumbers.list(caller, { query })).data
          if (number === undefined) continue
          const [key] = (yield* mintedKeys.list(caller, { query })).data
          return { number: number.id, keyPrefix: key?.key_prefix }
        }
        return undefined
      })

      return ReaderValues.of({
        // A guide is read also by a person whose calls are refused.
        of: (request) =>
          find(request).pipe(
            Effect.provideService(Environments, environments),
            Effect.provideService(Sessions, sessions),
            Effect.catch(() => Effect.undefined)
          )
      })
    })
  )
}
