import { Clock, Effect } from "effect"
import { EntityId, Sharding } from "effect/cluster"
import { shardGroup } from "../client/RemoteCalls.ts"
import { forkHere } from "../Fork.ts"
import { OutgoingLinks, wakeKey } from "../link/Links.ts"
import { type OwnerEntity, wakeTag } from "../protocol/Protocol.ts"
import { Activations } from "./Activations.ts"

/** The time a wake-up may spend on finding its owner, in milliseconds. */
const wakeDeadlineMs = 10_000

/** Makes the function that wakes owners through the runtime library, on whichever node they live. */
export const wakingByRpc = Effect.fnUntraced(function* (entity: OwnerEntity) {
  const clientFor = yield* entity.client
  const fork = yield* forkHere
  return (id: string, at: number): void => {
    const wake = clientFor(id)[wakeTag] as (
      payload: { readonly at: number },
      options: { readonly discard: true }
    ) => Effect.Effect<void, unknown>
    fork(wake({ at }, { discard: true }).pipe(Effect.timeout(wakeDeadlineMs), Effect.ignoreCause))
  }
})

/**
 * Registers how this node wakes owners of the type, on whichever node they live. The layer that hosts or calls them
 * runs it.
 */
export const registerWaking = Effect.fnUntraced(function* (type: string, entity: OwnerEntity) {
  const activations = yield* Activations
  const byRpc = yield* wakingByRpc(entity)
  const links = yield* OutgoingLinks
  if (links === undefined) return activations.wakeWith(type, byRpc)
  const fork = yield* forkHere
  const clock = yield* Clock.Clock
  const { getShardId } = yield* Sharding.Sharding
  const key = wakeKey(type)
  activations.wakeWith(type, (id, at) => {
    const woken = links.call(key, {
      id,
      shard: getShardId(EntityId.make(id), shardGroup).id,
      items: [at],
      traced: undefined,
      deadline: clock.currentTimeMillisUnsafe() + wakeDeadlineMs
    })
    if (woken === undefined) return byRpc(id, at)
    fork(
      Effect.map(woken, (outcomes) => {
        const [outcome] = outcomes ?? []
        if (outcome === undefined || !("ok" in outcome)) byRpc(id, at)
      })
    )
  })
})
