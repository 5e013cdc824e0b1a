import { connect, type Socket } from "node:net"
import type { Duplex } from "node:stream"
import { PgConnection } from "@effect/sql-pg"
import { Deferred, Effect, type Scope } from "effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { withinPatience } from "./Deadline.ts"
import { areAllRefusing, mayAnswerSoon, noPrimary, refusingSuffix } from "./NoPrimary.ts"
import { PrimaryChoice, type ServerState } from "./PrimaryChoice.ts"
import type { Sessions } from "./Sessions.ts"
import { CurrentStart, patienceDuring, whileStarting } from "./StartPatience.ts"

/** Between two looks at a server, in milliseconds. */
const lookEveryMs = 500
/** A server that says nothing for so long gives no answer, in milliseconds. */
const lookPatienceMs = 2000
/**
 * The longest wait of a statement until a server takes writes, and between two looks of it, in milliseconds. A start waits
 * longer for one that is slow.
 */
const mostWaitMs = 5000
const waitMs = 50

/** How sessions to one server are opened. */
export interface PrimaryOptions {
  readonly servers: ReadonlyArray<string>
  /** Opens the pool of one server, whose connections run over the given sockets. */
  readonly open: (server: string, stream: () => Duplex) => Effect.Effect<Sessions, SqlError, Scope.Scope>
  /** The settings of the connection that looks at a server. */
  readonly look: (server: string) => PgConnection.Config
  /** Names the pool in the log. */
  readonly applicationName: string
}

/**
 * Sessions to that one of several servers which takes writes. Each server is asked twice a second. Once another one
 * takes writes, statements go there, and the connections to the former primary are cut, those that wait there included.
 */
export const primarySessions = ({
  applicationName,
  look,
  open,
  servers
}: PrimaryOptions): Effect.Effect<Sessions, SqlError, Scope.Scope> =>
  Effect.gen(function* () {
    const choice = new PrimaryChoice(servers)
    const pools = new Map<string, Pool>()
    for (const server of servers) {
      const sockets = new Sockets(server, () => choice.current === server)
      pools.set(server, { sockets, sessions: yield* open(server, () => sockets.dial()) })
    }
    const refused = new Map<string, string>()
    const standings = new Map<string, ServerState | SqlError>()

    const saw = Effect.fnUntraced(function* (server: string, state: ServerState | undefined) {
      const former = choice.current
      const problem = choice.saw(server, state)
      if (problem !== undefined && refused.get(server) !== problem) {
        yield* Effect.logError("a server of the database takes writes and is not used", {
          pool: applicationName,
          server: new URL(server).host,
          problem
        })
      }
      if (problem === undefined) refused.delete(server)
      else refused.set(server, problem)
      const { current, timeline } = choice
      if (former === current || former === undefined) return
      pools.get(former)?.sockets.cut()
      yield* Effect.logWarning("the database has another primary", {
        pool: applicationName,
        former: new URL(former).host,
        primary: current === undefined ? "none" : new URL(current).host,
        timeline
      })
    })

    const watch = (server: string, looked: Deferred.Deferred<void>) => {
      const told = (state: ServerState | SqlError) => {
        standings.set(server, state)
        return Effect.andThen(saw(server, isSqlError(state) ? undefined : state), Deferred.succeed(looked, undefined))
      }
      const looks = Effect.gen(function* () {
        const connection = yield* PgConnection.make(look(server))
        let isNamed = false
        while (true) {
          const state = yield* withinPatience(askState(connection), lookPatienceMs)
          yield* told(state)
          if (choice.isRefused && state.timeline !== undefined && !isNamed) {
            yield* connection.query("select set_config('application_name', $1, false)", [
              applicationName + refusingSuffix
            ])
            isNamed = true
          }
          yield* Effect.sleep(lookEveryMs)
        }
      })
      return Effect.scoped(looks).pipe(
        Effect.catchTag("SqlError", told),
        Effect.andThen(Effect.sleep(lookEveryMs)),
        Effect.forever
      )
    }

    const first = yield* Effect.forEach(servers, (server) =>
      Effect.gen(function* () {
        const looked = yield* Deferred.make<void>()
        yield* Effect.forkScoped(watch(server, looked))
        return Deferred.await(looked)
      })
    )
    // An old primary that comes back may be the first to answer, so all are waited for.
    yield* Effect.all(first)
    choice.isInUse = true

    const sessionsNow = () => (choice.current === undefined ? undefined : pools.get(choice.current)?.sessions)
    const lookedAt = () => servers.map((server) => ({ server, standing: standings.get(server) }))
    const awaited = Effect.gen(function* () {
      const start = yield* CurrentStart
      const isHopeless = () => choice.isRefused || areAllRefusing(lookedAt())
      const longestMs = () => (mayAnswerSoon(lookedAt()) ? patienceDuring(start, mostWaitMs) : mostWaitMs)
      for (let waited = 0; waited < longestMs() && !isHopeless(); waited += waitMs) {
        yield* Effect.sleep(waitMs)
        const sessions = sessionsNow()
        if (sessions !== undefined) return sessions
      }
      return yield* Effect.fail(noPrimary(lookedAt()))
    })
    const chosen = Effect.suspend(() => {
      const sessions = sessionsNow()
      return sessions === undefined ? whileStarting(awaited) : Effect.succeed(sessions)
    })
    return {
      get: Effect.flatMap(chosen, ({ get }) => get),
      pinned: Effect.flatMap(chosen, ({ pinned }) => pinned),
      borrow: (use) => Effect.flatMap(chosen, ({ borrow }) => borrow(use))
    }
  })

interface Pool {
  readonly sockets: Sockets
  readonly sessions: Sessions
}

/** The connections to one server, which can be cut from this side alone. */
class Sockets {
  private readonly open = new Set<Socket>()
  private readonly server: string
  private readonly isPrimary: () => boolean

  constructor(server: string, isPrimary: () => boolean) {
    this.server = server
    this.isPrimary = isPrimary
  }

  dial(): Socket {
    const { hostname, port } = new URL(this.server)
    const socket = connect({
      host: hostname.replace(/^\[|\]$/g, ""),
      port: Number(port || 5432),
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: 10_000
    })
    this.open.add(socket)
    socket.once("close", () => this.open.delete(socket))
    // A statement that waited for a connection of the former primary must not get one.
    if (!this.isPrimary()) socket.destroy(lost())
    return socket
  }

  cut(): void {
    for (const socket of this.open) socket.destroy(lost())
  }
}

const lost = () => Object.assign(new Error("this server is no longer the primary"), { code: "ECONNRESET" })

// The timeline is the first part of the name of the segment that is written now.
const question = `select system_identifier::text as system,
    case when pg_is_in_recovery() or current_setting('default_transaction_read_only')::boolean then null
      else substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) end as timeline,
    case when pg_is_in_recovery() then 0 else (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::int8 end as position,
    current_setting('synchronous_standby_names') <> ''
      and current_setting('synchronous_commit') in ('on', 'remote_apply', 'remote_write') as is_synchronous
  from pg_control_system()`

const askState = (connection: PgConnection.PgConnection): Effect.Effect<ServerState, SqlError> =>
  Effect.map(connection.query(question, [], false), ({ rows }) => {
    const [row] = rows as ReadonlyArray<Row>
    const timeline = row?.timeline ?? undefined
    return {
      system: row?.system ?? "",
      timeline: timeline === undefined ? undefined : Number.parseInt(timeline, 16),
      position: Number(row?.position ?? 0),
      isSynchronous: row?.is_synchronous === true
    }
  })

type Row = {
  readonly system: string
  readonly timeline: string | null
  readonly position: number | bigint
  readonly is_synchronous: boolean
}
