import { parseId } from "@carteiro/owners/Ids.ts"
import { eventCatalog } from "@carteiro/schema/webhooks/EventCatalog.ts"
import type { Walked } from "@carteiro/tables/BoundedWalk.ts"
import { readJson } from "@carteiro/tables/StoredJson.ts"
import { Context, Effect, Layer } from "effect"
import { EventBodies } from "../../outbox/EventBodies.ts"
import { maskEvents } from "../../outbox/EventMask.ts"
import { type EventRow, OutboxEventRepo } from "./OutboxEventRepo.ts"

/** One event with its envelope: null without content left, and masked where its declaration names a secret. */
export interface LoggedEvent extends EventRow {
  readonly envelope: unknown
}

const mask = maskEvents(eventCatalog)

/** Reads the events that the outbox still holds, delivered or not, for the dashboard; within one environment. A-SIG-01..06 */
export class EventLog extends Context.Service<
  EventLog,
  {
    /** Returns events newest first, before the event with that id; a page looks at a bounded number of them. */
    list(
      environmentId: string,
      type: string | undefined,
      before: string | undefined,
      count: number
    ): Effect.Effect<Walked<EventRow>>
    find(environmentId: string, id: string): Effect.Effect<LoggedEvent | undefined>
  }
>()("@carteiro/runtime/webhooks/log/EventLog") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const events = yield* OutboxEventRepo
      const bodies = yield* EventBodies
      return EventLog.of({
        list: events.list,
        find: Effect.fnUntraced(function* (environment_id, id) {
          const row = parseId("evt", id) ? yield* events.find(environment_id, id) : undefined
          if (row === undefined) return undefined
          const text = yield* bodies.readOne({ environment_id, id, envelope: row.envelope })
          return { ...row, envelope: text === undefined ? null : mask(row.type, readJson(text)) }
        })
      })
    })
  )
}
