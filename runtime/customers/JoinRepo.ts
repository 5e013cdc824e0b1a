import { instant } from "@carteiro/tables/Parameters.ts"
import { many } from "@carteiro/tables/Read.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { joinColumns } from "./CustomerTables.ts"

/** A join whose rows may not all have moved. */
export type PendingJoin = SelectedRow<typeof joinColumns>

/** The pause before the second and last pass, in milliseconds; it moves rows that were being written during the first. */
const againMs = 60_000
const mostPasses = 2

/** Keeps the notes of joins. Decision 0135 */
export class JoinRepo extends Context.Service<
  JoinRepo,
  {
    isBeingErased(environmentId: string, key: string): Effect.Effect<boolean>
    /** Notes that a pass was made; the last one removes the join. */
    finish(join: PendingJoin): Effect.Effect<void>
    /** Notes that a pass has to wait. */
    postpone(join: PendingJoin): Effect.Effect<void>
    due(now: number, count: number): Effect.Effect<ReadonlyArray<PendingJoin>>
  }
>()("@carteiro/runtime/customers/JoinRepo") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const later = Effect.fnUntraced(function* (join: PendingJoin, passes: number) {
        const now = yield* Clock.currentTimeMillis
        yield* many(sql`update customer_joins set passes = ${passes}, due_at = ${instant(now + againMs)}
          where environment_id = ${join.environment_id} and from_key = ${join.from_key} and to_key = ${join.to_key}`)
      })

      return JoinRepo.of({
        isBeingErased: (environmentId, key) =>
          Effect.map(
            many(sql`select 1 from contact_erasures
              where match_key = ${key} and environment_id = ${environmentId} limit 1`),
            (rows) => rows.length > 0
          ),
        finish: (join) =>
          join.passes + 1 < mostPasses
            ? later(join, join.passes + 1)
            : Effect.asVoid(
                many(sql`delete from customer_joins where environment_id = ${join.environment_id}
                  and from_key = ${join.from_key} and to_key = ${join.to_key}`)
              ),
        postpone: (join) => later(join, join.passes),
        due: (now, count) =>
          many(sql<PendingJoin>`select ${sql.literal(joinColumns.list)} from customer_joins
            where due_at <= ${instant(now)} order by due_at limit ${count}`)
      })
    })
  )
}
