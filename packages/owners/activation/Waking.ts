import { Effect } from "effect"
import { forkHere } from "../Fork.ts"
import { type entityOf, wakeTag } from "../protocol/Protocol.ts"
import { Activations } from "./Activations.ts"

/** Lets anyone on this node wake owners of the type, wherever they live; done by who hosts or calls them. */
export const registerWaking = Effect.fnUntraced(function* (type: string, entity: ReturnType<typeof entityOf>) {
  const clientFor = yield* entity.client
  const activations = yield* Activations
  const fork = yield* forkHere
  activations.wakeWith(type, (id, at) => {
    const wake = clientFor(id)[wakeTag] as (
      payload: { readonly at: number },
      options: { readonly discard: true }
    ) => Effect.Effect<void, unknown>
    fork(wake({ at }, { discard: true }).pipe(Effect.timeout("10 seconds"), Effect.ignoreCause))
  })
})
