import { Clock, Context, Effect, Layer } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { SqlClient, type SqlError } from "effect/sql"
import type { Borrower } from "effect/sql/SqlConnection"
import { isSqlError } from "effect/sql/SqlError"
import { withinPatience } from "./Deadline.ts"
import { CurrentReplica, ListReader, ReplicaReads } from "./ReplicaReads.ts"
import { clientOver, type Sessions } from "./Sessions.ts"
import { openSessions, type SqlOptions } from "./Sql.ts"
import { failureText } from "./SqlFailure.ts"

export interface ReplicaOptions {
  readonly url: string
  /** A replica that is further behind answers nothing, in milliseconds. */
  readonly maxLagMs: number
}

/** Between two rounds, in milliseconds. */
const roundMs = 1000
/** The longest that one list or round waits for the replica; the primary still answers within a caller's patience. */
const replicaPatienceMs = 2000

/**
 * `SqlClient` over the primary, whose lists come from a replica while that is close enough behind. Statements of fibers
 * with a `ListReader` go there; everything else, and every transaction, goes to the primary. A list that the replica fails
 * is asked of the primary at once.
 */
export const layer = (
  url: string,
  options: SqlOptions,
  replica: ReplicaOptions
): Layer.Layer<SqlClient.SqlClient, SqlError.SqlError> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      const reads = new ReplicaReads(replica.maxLagMs, () => clock.currentTimeMillisUnsafe())
      const primary = yield* openSessions(url, options)
      const applicationName = `${options.applicationName}-lists`
      const standby = yield* openSessions(replica.url, { ...options, applicationName, readOnly: true })
      const ask = yield* Effect.all([clientOver(primary), clientOver(standby)])
      yield* Effect.forkScoped(Effect.forever(Effect.andThen(round(reads, ...ask), Effect.sleep(roundMs))))
      const client = yield* clientOver({ ...primary, borrow: borrowFor(reads, primary, standby) })
      return Context.make(SqlClient.SqlClient, client).pipe(Context.add(CurrentReplica, reads))
    })
  ).pipe(Layer.provide(Reactivity.layer))

const borrowFor =
  (reads: ReplicaReads, primary: Sessions, standby: Sessions): Borrower =>
  (use) =>
    Effect.withFiber((fiber) => {
      const reader = fiber.getRef(ListReader)
      if (reader === undefined) return primary.borrow(use)
      const source = reads.sourceFor(reader)
      if (source !== "replica") {
        reads.counts[source]++
        return primary.borrow(use)
      }
      return Effect.catchIf(
        Effect.tap(withinPatience(standby.borrow(use), replicaPatienceMs), () =>
          Effect.sync(() => reads.counts.replica++)
        ),
        isSqlError,
        () => {
          reads.failed()
          reads.counts.failed++
          return primary.borrow(use)
        }
      )
    })

/** Asks both servers how far they are, and tells the log when the replica begins or ends to serve. */
const round = (reads: ReplicaReads, primary: SqlClient.SqlClient, standby: SqlClient.SqlClient) =>
  Effect.gen(function* () {
    const begun = reads.begin()
    const found = yield* Effect.result(withinPatience(compare(primary, standby), replicaPatienceMs))
    const problem = found._tag === "Success" ? found.success.problem : failureText(found.failure)
    if (found._tag === "Success" && problem === undefined) {
      reads.reached(begun, found.success.position, found.success.replayed)
    } else reads.failed()
    // A list that failed since the last round has taken the replica out already, so the log's own state is compared.
    const { isServing } = reads
    if (reads.toldServing === isServing) return
    reads.toldServing = isServing
    if (isServing) yield* Effect.logInfo("lists are read from the replica", { lag_ms: reads.lagMs() })
    else
      yield* Effect.logWarning("lists are read from the primary", {
        problem: problem ?? "the replica is too far behind"
      })
  })

/** How a replica stands to its primary. */
export interface Compared {
  /** Ends of the primary's log and of what the replica has replayed of it, in bytes since the beginning. */
  readonly position: number
  readonly replayed: number
  /** Why this server cannot answer for that primary; undefined when it can. */
  readonly problem: string | undefined
}

/** Asks the primary first, so that a replica past its position holds all that was committed before. */
export const compare = (
  primary: SqlClient.SqlClient,
  standby: SqlClient.SqlClient
): Effect.Effect<Compared, SqlError.SqlError> =>
  Effect.gen(function* () {
    const [ours] = yield* primary<Server>`select system_identifier::text as system, current_database() as database,
      false as is_standby, (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::int8 as position from pg_control_system()`
    const [theirs] = yield* standby<Server>`select system_identifier::text as system, current_database() as database,
      pg_is_in_recovery() as is_standby,
      coalesce((pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::int8, 0) as position from pg_control_system()`
    return { position: ours?.position ?? 0, replayed: theirs?.position ?? 0, problem: problemOf(ours, theirs) }
  })

interface Server {
  readonly system: string
  readonly database: string
  readonly is_standby: boolean
  readonly position: number
}

const problemOf = (ours: Server | undefined, theirs: Server | undefined): string | undefined => {
  if (theirs?.is_standby !== true) return "it is no standby"
  if (theirs.system !== ours?.system) return "it is a standby of another server"
  return theirs.database === ours.database
    ? undefined
    : `it shows the database ${theirs.database}, not ${ours.database}`
}
