import { Context, Effect } from "effect"
import { ClusterError, type RunnerAddress, type RunnerStorage } from "effect/cluster"
import type { SqlClient } from "effect/sql"
import type { Series } from "../telemetry/Instruments.ts"
import { nameOf, type Peers } from "./Peers.ts"

/** Holds the runners that this node counts as alive. */
export class LiveRunners extends Context.Service<
  LiveRunners,
  { readonly current: () => ReadonlyArray<RunnerAddress.RunnerAddress> }
>()("@carteiro/owners/cluster/LiveRunners") {}

/**
 * Returns a client whose connection reserved for shard locks records its name in `runner_sessions`, so that every node
 * can see when that session ends. A session that replaces a lost one replaces its row.
 */
export const recordingLockSession = (
  sql: SqlClient.SqlClient,
  address: RunnerAddress.RunnerAddress,
  opened: Series
): SqlClient.SqlClient => {
  const record = `insert into runner_sessions (address, pid, started_at)
    select $1, pid, backend_start from pg_stat_activity where pid = pg_backend_pid()
    on conflict (address) do update set pid = excluded.pid, started_at = excluded.started_at`
  const recording: SqlClient.SqlClient = Object.assign(
    ((...args: Parameters<SqlClient.SqlClient>) => sql(...args)) as SqlClient.SqlClient,
    sql,
    {
      reserve: Effect.tap(sql.reserve, (connection) =>
        Effect.andThen(
          connection.executeRaw(record, [nameOf(address)]),
          Effect.sync(() => opened(1))
        )
      ),
      withoutTransforms: () => recording
    }
  )
  return recording
}

/**
 * Hides dead runners from the membership: a registered runner whose lock session has ended is hidden long before its
 * lease expires. Its locks ended with that session, so other nodes can take its shards at once. A runner never hides
 * itself, because it has to keep its assignments to come back with a new session.
 */
export const hidingDeadRunners = (options: {
  readonly storage: RunnerStorage.RunnerStorage["Service"]
  readonly sql: SqlClient.SqlClient
  readonly peers: Peers["Service"]
  readonly self: RunnerAddress.RunnerAddress | undefined
}) => {
  const { peers, sql, storage } = options
  const self = options.self === undefined ? undefined : nameOf(options.self)
  let live: ReadonlyArray<RunnerAddress.RunnerAddress> = []
  // PostgreSQL shows the process of another user's session, but not its start.
  const ended = sql<{ readonly address: string }>`
    select s.address from runner_sessions s where not exists (
      select from pg_stat_activity a
      where a.pid = s.pid and (a.backend_start = s.started_at or a.backend_start is null))`
  const getRunners = Effect.gen(function* () {
    const runners = yield* storage.getRunners
    const gone = new Set((yield* ClusterError.PersistenceError.refail(ended)).map((row) => row.address))
    const seen = runners.filter(([{ address }]) => nameOf(address) === self || !gone.has(nameOf(address)))
    live = seen.map(([{ address }]) => address)
    peers.cut(gone)
    return seen
  })
  return {
    storage: { ...storage, getRunners } satisfies RunnerStorage.RunnerStorage["Service"],
    live: LiveRunners.of({ current: () => live })
  }
}
