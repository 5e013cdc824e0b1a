import type { Socket } from "node:net"
import { PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { tlsChoice } from "./DatabaseTls.ts"
import { withinPatience } from "./Deadline.ts"
import { dialPlain } from "./OptionalTls.ts"
import { type PoolSizes, poolSizes } from "./PoolSizes.ts"
import { simpleConnection } from "./SimpleQuery.ts"
import { clientConfig } from "./Sql.ts"
import { CurrentStart, patienceDuring } from "./StartPatience.ts"

/**
 * What stands between us and PostgreSQL. `sessions` keeps the promises of a session, and tells its sizes where this role
 * may ask; `transactions` and `statements` share one among clients. `balances` and `caches` are pgpool-II's ways to answer
 * a read from elsewhere; `standby` is any pooler's.
 */
export type Pooler =
  | { readonly kind: "none" | "transactions" | "statements" | "standby" | "balances" | "caches" }
  | { readonly kind: "sessions"; readonly sizes: PoolSizes | undefined }

/** The longest that the look at a pooler takes, in milliseconds, unless a start looks. */
const patienceMs = 5000
/** How often two connections take turns: a pooler that shares sessions gives both the same one by then. */
const turns = 4

/**
 * Looks for a pooler that a URL of one server leads through. A direct connection costs one round trip: PostgreSQL tells
 * the process and the port of the connection that it sees, which are ours.
 */
export const lookAtPooler = (url: string, applicationName: string): Effect.Effect<Pooler, SqlError> =>
  Effect.scoped(
    Effect.gen(function* () {
      let socket: Socket | undefined
      const dial = () => {
        socket = dialPlain(url)
        return socket
      }
      const config = clientConfig(url, applicationName, hasOwnSocket(url) ? dial : undefined)
      const connection = yield* PgConnection.make({ ...config, prepare: false })
      const seen = yield* sessionOf(connection)
      if (seen.pid !== connection.processId) return yield* lookBehind(url, connection, applicationName)
      if (socket !== undefined && seen.port === (socket.localPort ?? null)) return none
      return yield* lookForPgpool(url, applicationName, seen.is_standby)
    })
  ).pipe((look) => Effect.flatMap(CurrentStart, (start) => withinPatience(look, patienceDuring(start, patienceMs))))

const none: Pooler = { kind: "none" }

/** Sockets of `prefer` and `allow` are opened by what decides about TLS. */
const hasOwnSocket = (url: string): boolean => tlsChoice(url).stream === undefined

interface SeenSession {
  readonly pid: number
  /** The port of the client as PostgreSQL sees it; null over a Unix socket. */
  readonly port: number | null
  readonly is_standby: boolean
}

const sessionOf = (connection: PgConnection.PgConnection): Effect.Effect<SeenSession, SqlError> =>
  Effect.map(
    connection.query(
      "select pg_backend_pid() as pid, inet_client_port() as port, pg_is_in_recovery() as is_standby",
      [],
      false
    ),
    ({ rows }) => rows[0] as unknown as SeenSession
  )

/** A pooler that has identities of its own for sessions: PgBouncer and its kin. */
const lookBehind = Effect.fnUntraced(function* (
  url: string,
  first: PgConnection.PgConnection,
  applicationName: string
) {
  const second = yield* PgConnection.make({ ...clientConfig(url, applicationName), prepare: false })
  const [ours, theirs] = [new Set<number>(), new Set<number>()]
  let isStandby = false
  for (let turn = 0; turn < turns; turn++) {
    const [one, other] = [yield* sessionOf(first), yield* sessionOf(second)]
    ours.add(one.pid)
    theirs.add(other.pid)
    isStandby ||= one.is_standby || other.is_standby
  }
  const isShared = ours.size > 1 || theirs.size > 1 || [...ours].some((pid) => theirs.has(pid))
  // The session ends with this refusal, which the driver tells as a closed connection.
  const transaction = yield* Effect.result(first.query("begin", [], false))
  if (isShared) return { kind: transaction._tag === "Failure" ? "statements" : "transactions" } satisfies Pooler
  if (isStandby) return { kind: "standby" } satisfies Pooler
  return { kind: "sessions", sizes: yield* poolSizes(url, applicationName, 2) } satisfies Pooler
})

/** pgpool-II hands on the identities of sessions, and tells of itself in the simple protocol alone. */
const lookForPgpool = Effect.fnUntraced(function* (url: string, applicationName: string, isStandby: boolean) {
  const ask = yield* simpleConnection(url, applicationName)
  const version = yield* Effect.result(ask("show pool_version"))
  if (version._tag === "Failure") return none
  const isOn = (name: string) =>
    Effect.map(
      Effect.orElseSucceed(ask(`pgpool show ${name}`), () => []),
      (rows) => rows.some((row) => Object.values(row).includes("on"))
    )
  if (yield* isOn("load_balance_mode")) return { kind: "balances" } satisfies Pooler
  if (yield* isOn("memory_cache_enabled")) return { kind: "caches" } satisfies Pooler
  return isStandby ? ({ kind: "standby" } satisfies Pooler) : none
})
