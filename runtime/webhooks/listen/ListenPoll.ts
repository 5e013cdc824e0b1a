import { Draining } from "@carteiro/http-edge/Listener.ts"
import { Effect, Schedule } from "effect"
import { untilEnd } from "./EndingPoll.ts"
import { ListenEntity, type ListenItem, type ListenResult } from "./ListenEntity.ts"

/**
 * Returns the long poll of this node. It waits at the owner until there are events, the time is up, this node stops, or
 * the client has disconnected, which frees its slot. gaps-1 L "Long poll limits"
 */
export const makeListenPoll = Effect.gen(function* () {
  const owners = yield* ListenEntity.client
  const draining = yield* Draining
  return (environmentId: string, item: ListenItem, left: Effect.Effect<void>) => {
    const leave = Effect.ignoreCause(owners.Leave(environmentId, { poll_id: item.poll_id }))
    // Polls do not move with their owner: they continue at the next one, from the same position.
    const call = Effect.retry(owners.Listen(environmentId, item), {
      while: (error) => error._tag === "service_unavailable",
      schedule: Schedule.spaced("250 millis"),
      times: 20
    })
    const nothing: ListenResult = { data: [], has_more: false, position: item.after, next_poll_after_ms: 0 }
    return untilEnd({ call, ends: Effect.raceFirst(draining.begun, left), leave, nothing })
  }
})
