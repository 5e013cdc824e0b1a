import type { Secrets } from "@carteiro/secrets/Secrets.ts"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { instant } from "./Parameters.ts"
import { many } from "./Read.ts"

/** A periodic task of the process, on any node; running it twice at once does no harm. */
export interface Job {
  readonly name: string
  readonly everyMs: number
  readonly run: Effect.Effect<void, never, SqlClient.SqlClient | Secrets>
  /** Runs the job for one tenant whose time is ahead of the node's; `now` is the tenant's, in epoch milliseconds. */
  readonly ofTenant?: (tenantId: string, now: number) => Effect.Effect<void, never, SqlClient.SqlClient>
}

const batch = 1000

/**
 * Deletes the rows of a table whose `column` is at or before `upTo` (epoch milliseconds), by index and in small
 * transactions, so that no lock is held for long. gaps-1 C, E, H
 */
export const deleteUpTo = Effect.fnUntraced(function* (table: string, column: string, upTo: number) {
  const sql = yield* SqlClient.SqlClient
  while (true) {
    const gone = yield* many(sql`delete from ${sql(table)} where ctid = any(array(
      select ctid from ${sql(table)} where ${sql(column)} <= ${instant(upTo)}
      order by ${sql(column)} limit ${batch} for update skip locked)) returning 1`)
    if (gone.length < batch) return
  }
})
