import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Returns the envelopes of the events that an environment raised, oldest first. */
export const eventsOf = Effect.fnUntraced(function* (environmentId: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly envelope: string }>`select envelope from outbox_events
    where environment_id = ${environmentId} order by id`
  return rows.map(
    ({ envelope }) => JSON.parse(envelope) as { readonly type: string; readonly data: Record<string, unknown> }
  )
})
