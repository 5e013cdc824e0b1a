import { secondsDue, type TableGauge } from "@carteiro/owners/DueWork.ts"
import { one } from "@carteiro/tables/Read.ts"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// Walks from number to number along the index of waiting messages, so that a long queue costs one step.
const oldestDue = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  one(sql<{ readonly due_at: number | null }>`with recursive heads as (
      (select business_id, environment_id, due_at from messages
        where due_at is not null and status = 'queued' and status_reason is null
        order by business_id, environment_id, due_at limit 1)
      union all
      select n.business_id, n.environment_id, n.due_at from heads h cross join lateral (
        select business_id, environment_id, due_at from messages
        where due_at is not null and status = 'queued' and status_reason is null
          and (business_id, environment_id) > (h.business_id, h.environment_id)
        order by business_id, environment_id, due_at limit 1) n
    )
    select min(due_at) as due_at from heads`)
)

/** The gauges of the room's tables. */
export const gauges: ReadonlyArray<TableGauge> = [
  {
    name: "message_send_oldest_due_seconds",
    help: "How long the message that has waited longest for its turn is due, over all numbers",
    read: (now) => Effect.map(oldestDue, (row) => ({ "": secondsDue(row?.due_at, now) }))
  }
]
