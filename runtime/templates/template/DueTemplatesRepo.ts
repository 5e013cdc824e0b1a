import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { DueOwners } from "../../platform/owner/schedule/Sweeper.ts"
import { instant } from "../../platform/sql/Parameters.ts"
import { many } from "../../platform/sql/Read.ts"

interface Waiting {
  readonly id: string
  readonly due: boolean
}

const pageOf = (rows: ReadonlyArray<Waiting>, limit: number) => ({
  ids: rows.filter(({ due }) => due).map(({ id }) => id),
  next: rows.length < limit ? undefined : rows.at(-1)?.id
})

/** Environments with a review or a removal due; the walk goes from environment to environment through the index. */
export const dueReviews: DueOwners["due"] = (now, after, limit) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      many(sql<Waiting>`with recursive waiting as (
          (select environment_id as id, 1 as n from templates where due_at is not null and environment_id > ${after}
            order by environment_id limit 1)
          union all
          select (select t.environment_id from templates t where t.due_at is not null and t.environment_id > w.id
            order by t.environment_id limit 1), w.n + 1 from waiting w where w.id is not null and w.n < ${limit}
        )
        select w.id, exists (select 1 from templates t
          where t.environment_id = w.id and t.due_at is not null and t.due_at <= ${instant(now)}) as due
        from waiting w where w.id is not null order by w.id`),
      (rows) => pageOf(rows, limit)
    )
  )

/** Environments that are to be compared with their provider. */
export const dueSyncs: DueOwners["due"] = (now, after, limit) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      many(sql<Waiting>`select environment_id as id, due_at <= ${instant(now)} as due from template_syncs
        where environment_id > ${after} order by environment_id limit ${limit}`),
      (rows) => pageOf(rows, limit)
    )
  )
