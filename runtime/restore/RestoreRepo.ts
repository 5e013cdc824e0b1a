import { instant } from "@carteiro/tables/Parameters.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import { Context, Data, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { failSql, holdSql, type OutwardWork, releaseSql } from "./OutwardWork.ts"
import { heldColumns } from "./RestoreTables.ts"

/** Holds why a restore is refused, in a sentence for the operator. */
export class RestoreRefused extends Data.TaggedError("RestoreRefused")<{ readonly message: string }> {}

/** One piece of held work; instants are epoch milliseconds. */
export type HeldWork = SelectedRow<typeof heldColumns>

/** Counts of held work that a release or a failure took off hold, and of what had ended by itself before that. */
export interface ReleasedWork {
  readonly changed: number
  readonly ended: number
}

/** Kinds of work, as the rooms declare them. */
export class OutwardKinds extends Context.Service<OutwardKinds, ReadonlyArray<OutwardWork>>()(
  "@carteiro/runtime/restore/OutwardKinds"
) {}

/** Added to every epoch and to every position of events, so that none issued after the restored point is issued again. */
const ahead = 2 ** 40

/** Transactions commit in another order than they are numbered in: the newest event is among the last that were numbered. */
const newestEvent = `select max(e.created_at) from (select created_at from outbox_events
  where written_in is not null order by written_in desc limit 1000) e`

/**
 * After a restore of the database to an earlier point: holds the work that may have gone out before the loss.
 * Decision 0066
 */
export class RestoreRepo extends Context.Service<
  RestoreRepo,
  {
    /**
     * Holds all outward work that is due by `now`, raises the epochs of shards and the positions of events, and returns
     * how much of each kind is held. Refuses while a node runs, for an instant before the newest event, and a second
     * time. Instants in epoch milliseconds.
     */
    accept(to: number, now: number): Effect.Effect<ReadonlyMap<string, number>, RestoreRefused>
    /**
     * Returns the instant of the last transaction that this server replayed as a standby, or of the newest event if that
     * is later. Refuses when the server has no record of a replay.
     */
    readonly lastReplayed: Effect.Effect<number, RestoreRefused>
    /** Returns held work, oldest due first. */
    list(kind: string | undefined, limit: number): Effect.Effect<ReadonlyArray<HeldWork>>
    /** Returns how much of each kind is held. */
    readonly counts: Effect.Effect<ReadonlyMap<string, number>>
    release(kind: OutwardWork, id: string | undefined): Effect.Effect<ReleasedWork>
    /** Ends held work as failed; undefined for a kind that only a release ends. */
    fail(kind: OutwardWork, id: string | undefined, now: number): Effect.Effect<ReleasedWork> | undefined
    /** Returns the kind of the held work with that id. */
    kindOf(id: string): Effect.Effect<OutwardWork | undefined>
  }
>()("@carteiro/runtime/restore/RestoreRepo") {
  static readonly layer = Layer.effect(
    RestoreRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const kinds = yield* OutwardKinds
      const counted = Effect.map(
        many(sql<Count>`select kind, count(*)::int4 as count from restore_holds group by kind`),
        (rows) => new Map(rows.map(({ count, kind }) => [kind, count]))
      )
      const changes = (text: string, parameters: ReadonlyArray<unknown>) =>
        Effect.map(one(sql.unsafe<ChangedRow>(text, parameters)), (row) => ({
          changed: row?.changed ?? 0,
          ended: (row?.forgotten ?? 0) - (row?.changed ?? 0)
        }))
      const refusal = Effect.fnUntraced(function* (to: number) {
        const [state] = yield* many(sql<RestoreState>`select
          (select s.address from runner_sessions s join pg_stat_activity a
            on a.pid = s.pid and (a.backend_start = s.started_at or a.backend_start is null) limit 1) as running,
          (${sql.literal(newestEvent)}) as newest,
          (select accepted_at from restores where restored_to = ${instant(to)}) as accepted`)
        if (state?.running != null) return `The node ${state.running} runs: stop all nodes first.`
        if (state?.accepted != null) return "This restore was accepted before; restore list shows what is still held."
        if (state?.newest != null && state.newest > to) {
          const newest = new Date(state.newest).toISOString()
          return `The newest event is of ${newest}: the database was not restored to an earlier instant than that.`
        }
        return undefined
      })
      return RestoreRepo.of({
        accept: Effect.fnUntraced(function* (to, now) {
          const message = yield* refusal(to)
          if (message !== undefined) return yield* new RestoreRefused({ message })
          yield* Effect.gen(function* () {
            for (const kind of kinds) yield* many(sql.unsafe(holdSql(kind), [instant(now)]))
            yield* many(sql`update shard_epochs set epoch = epoch + ${ahead}`)
            yield* many(sql`update outbox_counters set position = position + ${ahead}`)
            yield* many(sql`insert into restores (restored_to, accepted_at) values (${instant(to)}, ${instant(now)})`)
          }).pipe(sql.withTransaction, Effect.orDie)
          return yield* counted
        }),
        lastReplayed: Effect.gen(function* () {
          const standby = yield* one(sql<Replayed>`select pg_last_xact_replay_timestamp() as replayed,
            (${sql.literal(newestEvent)}) as newest`)
          if (standby?.replayed == null) return yield* new RestoreRefused({ message: noStandby })
          return Math.max(standby.replayed, standby.newest ?? 0)
        }),
        list: (kind, limit) =>
          many(sql<HeldWork>`select ${sql.literal(heldColumns.list)} from restore_holds
            where ${kind ?? null}::text is null or kind = ${kind ?? null}
            order by due_at nulls last, kind, id limit ${limit}`),
        counts: counted,
        release: (kind, id) => changes(releaseSql(kind), [id ?? null]),
        fail: (kind, id, now) => {
          const text = failSql(kind)
          return text === undefined
            ? undefined
            : changes(text, text.includes("$2") ? [id ?? null, instant(now)] : [id ?? null])
        },
        kindOf: (id) =>
          Effect.map(
            one(sql<{ readonly kind: string }>`select kind from restore_holds where id = ${id} limit 1`),
            (row) => kinds.find(({ kind }) => kind === row?.kind)
          )
      })
    })
  )
}

const noStandby =
  "This server has no record of a replay: it was no standby, or was restarted since. Name the instant with --to."

interface Replayed {
  readonly replayed: number | null
  readonly newest: number | null
}

interface Count {
  readonly kind: string
  readonly count: number
}

interface ChangedRow {
  readonly changed: number
  readonly forgotten: number
}

interface RestoreState {
  readonly running: string | null
  readonly newest: number | null
  readonly accepted: number | null
}
