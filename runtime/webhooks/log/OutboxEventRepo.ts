import { type Walked, walk } from "@carteiro/tables/BoundedWalk.ts"
import { one } from "@carteiro/tables/Read.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

/** A row of the outbox without its envelope; `created_at` in epoch milliseconds. */
export interface EventRow {
  readonly id: string
  readonly type: string
  readonly source_type: string
  readonly source_id: string
  readonly trace_id: string
  readonly created_at: number
}

/** Reads of `outbox_events`, always within one environment. */
export class OutboxEventRepo extends Context.Service<
  OutboxEventRepo,
  {
    /** Returns events newest first, before the event with that id, by a bounded walk along the primary key. */
    list(
      environmentId: string,
      type: string | undefined,
      before: string | undefined,
      count: number
    ): Effect.Effect<Walked<EventRow>>
    find(environmentId: string, id: string): Effect.Effect<(EventRow & { readonly envelope: string }) | undefined>
  }
>()("@carteiro/runtime/webhooks/log/OutboxEventRepo") {
  static readonly layer = Layer.effect(
    this,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const row = sql.literal("id, type, source_type, source_id, trace_id, created_at")
      return OutboxEventRepo.of({
        list: (environmentId, type, before, count) =>
          walk<EventRow>(sql, {
            table: "outbox_events",
            along: [sql`environment_id = ${environmentId}`, sql`id < ${before ?? "~"}`],
            narrowed: type === undefined ? [] : [sql`type = ${type}`],
            page: (conditions) =>
              sql`select ${row} from outbox_events where ${sql.and(conditions)} order by id desc limit ${count}`
          }),
        find: (environmentId, id) =>
          one(sql<EventRow & { readonly envelope: string }>`select ${row}, envelope from outbox_events
            where environment_id = ${environmentId} and id = ${id}`)
      })
    })
  )
}
