import { Effect } from "effect"
import { simpleConnection } from "./SimpleQuery.ts"

/** What PgBouncer tells of the pool of one database and role. */
export interface PoolSizes {
  /** Sessions with PostgreSQL that it opens at most for this database and role. */
  readonly poolSize: number
  /** Connections of clients that it takes at most, of all databases. */
  readonly clients: number
  /** Clients of this database and role that hold a session now, and that wait for one. */
  readonly active: number
  readonly waiting: number
}

/**
 * Returns the sizes that PgBouncer's console tells about the database of a URL, which it lets only roles of `stats_users`
 * and `admin_users` ask; undefined for others, and for another pooler. So many of the clients are the caller's own.
 */
export const poolSizes = (url: string, applicationName: string, ours: number): Effect.Effect<PoolSizes | undefined> => {
  const { pathname, username } = new URL(url)
  const role = decodeURIComponent(username)
  const database = decodeURIComponent(pathname.slice(1)) || role
  return Effect.gen(function* () {
    const ask = yield* simpleConnection(Object.assign(new URL(url), { pathname: "/pgbouncer" }).href, applicationName)
    const config = new Map((yield* ask("show config")).map((row) => [row.key, row.value]))
    const pool = (yield* ask("show databases")).find(({ name }) => name === database)
    const use = (yield* ask("show pools")).find((row) => row.database === database && row.user === role)
    const numbers = {
      poolSize: Number(pool?.pool_size ?? config.get("default_pool_size")),
      clients: Number(config.get("max_client_conn")),
      active: Math.max(0, Number(use?.cl_active ?? 0) - ours),
      waiting: Number(use?.cl_waiting ?? 0)
    }
    return Object.values(numbers).every(Number.isSafeInteger) ? numbers : undefined
  }).pipe(
    Effect.scoped,
    Effect.orElseSucceed(() => undefined)
  )
}
