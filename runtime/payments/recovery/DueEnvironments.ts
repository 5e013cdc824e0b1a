import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { DueOwners } from "../../platform/owner/schedule/Sweeper.ts"
import { instant } from "../../platform/sql/Parameters.ts"
import { many } from "../../platform/sql/Read.ts"

/** Rows with a due time, in the words of the index over them. */
const sources = {
  agentic_authorizations: "agentic_authorizations where due_at is not null",
  agentic_payments: "agentic_payments where due_at is not null",
  payment_requests: "payment_requests where due_at is not null and environment = 'production'",
  sandbox_payments: "payment_requests where due_at is not null and environment = 'sandbox'"
} as const

/** Environments with something due, from one to the next along the index. */
export const dueEnvironments =
  (source: keyof typeof sources): DueOwners["due"] =>
  (now, after, limit) =>
    Effect.flatMap(SqlClient.SqlClient, (sql) => {
      const from = sql.literal(sources[source])
      return Effect.map(
        many(sql<{ readonly id: string; readonly due: boolean }>`with recursive walk as (
            (select environment_id as id, due_at, 1 as n from ${from}
              and environment_id > ${after} order by environment_id, due_at limit 1)
            union all
            select c.environment_id, c.due_at, w.n + 1 from walk w cross join lateral (
              select environment_id, due_at from ${from} and environment_id > w.id
              order by environment_id, due_at limit 1) c where w.n < ${limit}::int4
          ) select id, due_at <= ${instant(now)} as due from walk order by id`),
        (rows) => ({
          ids: rows.filter(({ due }) => due).map(({ id }) => id),
          next: rows.length < limit ? undefined : rows.at(-1)?.id
        })
      )
    })
