import { defineOwner } from "@carteiro/owners/Owner.ts"
import { Effect } from "effect"
import { mediaOwner } from "../job/MediaJob.ts"
import { type MediaState, makeMediaQueues } from "./MediaQueue.ts"

/** The media of one environment: whatever is fetched, made ready, rendered or written down. Architecture, section 2 */
export const MediaEntity = defineOwner(mediaOwner, {})

/** Hosts the owners of media; all they do is work that is due. */
export const mediaOwners = MediaEntity.toLayer(
  Effect.gen(function* () {
    const queueOf = yield* makeMediaQueues
    return {
      load: (owner, _saved, before: MediaState | undefined) =>
        Effect.sync((): MediaState => {
          const state: MediaState = { queue: before?.queue ?? queueOf(owner) }
          state.queue.follow(owner, state)
          // What was due before this owner came to this node is looked at as soon as it is loaded.
          owner.dueAt(owner.now())
          return state
        }),
      work: (state: MediaState) => state.queue.pass(state),
      handlers: {}
    }
  })
)
