import { Ids } from "@carteiro/owners/Ids.ts"
import { eventCatalog } from "@carteiro/schema/webhooks/EventCatalog.ts"
import { readJson } from "@carteiro/tables/StoredJson.ts"
import { Clock, Effect, Layer } from "effect"
import { EventBodies } from "../../outbox/EventBodies.ts"
import { maskEvents } from "../../outbox/EventMask.ts"
import { EnvironmentEvents, type ShownEvent } from "./EnvironmentEvents.ts"
import { ListenEntity } from "./ListenEntity.ts"
import { consoleHolder } from "./ListenPage.ts"
import { makeListenPoll } from "./ListenPoll.ts"

const mask = maskEvents(eventCatalog)

/** The longest wait for events, in milliseconds. */
const waitMs = 15_000

/** Reads and follows the stream at its owner, from any node. */
export const environmentEvents = Layer.effect(
  EnvironmentEvents,
  Effect.gen(function* () {
    const owners = yield* ListenEntity.client
    const bodies = yield* EventBodies
    const poll = yield* makeListenPoll
    const ids = yield* Ids
    const asked = { api_key_id: consoleHolder, session_id: undefined, types: undefined }

    const end = (environmentId: string) =>
      Effect.map(owners.Read(environmentId, { ...asked, limit: 1, after: "tail" }), ({ position }) => position)

    return EnvironmentEvents.of({
      end,
      latest: Effect.fnUntraced(function* (environment_id, count) {
        const after = Math.max(0, (yield* end(environment_id)) - count)
        const { data } = yield* owners.Read(environment_id, { ...asked, limit: count, after })
        const texts = yield* bodies.read(data.map(({ envelope, id }) => ({ environment_id, id, envelope })))
        return data
          .flatMap(({ created_at, id, type }, n): ReadonlyArray<ShownEvent> => {
            const text = texts[n]
            return text === undefined ? [] : [{ id, type, created_at, envelope: mask(type, readJson(text)) }]
          })
          .reverse()
      }),
      follow: Effect.fnUntraced(function* (environmentId, after) {
        const now = yield* Clock.currentTimeMillis
        const item = { ...asked, limit: 100, after, poll_id: ids.mint("req", now), deadline: now + waitMs }
        return yield* poll(environmentId, item, Effect.never)
      })
    })
  })
)
