import { secondsDue, type TableGauge } from "@carteiro/owners/DueWork.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// Walks from endpoint to endpoint along the index of waiting attempts, so that a long queue costs one step.
const oldestDue = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  one(sql<{ readonly due_at: number | null }>`with recursive heads as (
      (select endpoint_id, due_at from webhook_attempts where status = 'pending' order by endpoint_id, due_at limit 1)
      union all
      select n.endpoint_id, n.due_at from heads h cross join lateral (
        select endpoint_id, due_at from webhook_attempts where status = 'pending' and endpoint_id > h.endpoint_id
        order by endpoint_id, due_at limit 1) n
    )
    select min(due_at) as due_at from heads`)
)

// The index holds only endpoints that do not deliver as usual, which are few.
const breakers = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  many(sql<{ readonly state: string; readonly endpoints: number }>`
    select coalesce(disabled_reason, 'probation') as state, count(*)::int4 as endpoints from webhook_endpoints
    where status = 'disabled' or probation group by 1`)
)

/** The gauges of the room's tables. */
export const gauges: ReadonlyArray<TableGauge> = [
  {
    name: "webhook_delivery_oldest_due_seconds",
    help: "How long the delivery attempt that has waited longest is due, over all endpoints",
    read: (now) => Effect.map(oldestDue, (row) => ({ "": secondsDue(row?.due_at, now) }))
  },
  {
    name: "webhook_breaker_endpoints",
    help: "Endpoints by the state of their breaker, those that deliver as usual left out",
    label: { name: "state", values: ["consecutive_failures", "manual", "probation"] },
    read: () =>
      Effect.map(breakers, (rows) => Object.fromEntries(rows.map(({ state, endpoints }) => [state, endpoints])))
  }
]
