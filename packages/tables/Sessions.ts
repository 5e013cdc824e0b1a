import { PgClient, type PgConnection, PgPool } from "@effect/sql-pg"
import { Effect, type Scope } from "effect"
import type { Reactivity } from "effect/reactivity/Reactivity"
import { SqlClient } from "effect/sql"
import type { Borrower, Connection } from "effect/sql/SqlConnection"
import { SqlError, UnknownError } from "effect/sql/SqlError"
import { whileStarting } from "./StartPatience.ts"

/** The ways of statements to the sessions of one pool. */
export interface Sessions {
  readonly get: Effect.Effect<Connection, SqlError, Scope.Scope>
  readonly pinned: Effect.Effect<Connection, SqlError, Scope.Scope>
  readonly borrow: Borrower
}

/**
 * Makes a pool that sends each new session its `settings` in one round trip before any statement. They are not start-up
 * parameters, because PgBouncer refuses connections with parameters that it does not know. While the process starts, a
 * session that does not open in time is opened again.
 */
export const makeSessions = (
  config: PgPool.Config,
  settings: Readonly<Record<string, string>>
): Effect.Effect<Sessions, SqlError, Scope.Scope> =>
  Effect.gen(function* () {
    const pool = yield* PgPool.make(config)
    const statement = settingStatement(settings)
    /** Sessions that have their settings, in the form that statements use. */
    const settled = new WeakMap<PgConnection.PgConnection, Connection>()
    const settle = (session: PgConnection.PgConnection) =>
      Effect.map(session.query(statement, [], false), () => {
        const connection = connectionOver(session)
        settled.set(session, connection)
        return connection
      })
    const get = whileStarting(Effect.tap(pool.get, (session) => (settled.has(session) ? Effect.void : settle(session))))
    return {
      get: Effect.map(get, connectionOver),
      pinned: Effect.map(
        Effect.flatMap(get, (session) => session.pin),
        connectionOver
      ),
      borrow: (use) =>
        // Only a session that does not open is tried again: a statement that was sent has its answer or its failure.
        whileStarting(
          pool.use((session) => {
            const connection = settled.get(session)
            return connection === undefined ? Effect.flatMap(settle(session), use) : use(connection)
          })
        )
    }
  })

/** A client over these sessions. */
export const clientOver = ({ borrow, get, pinned }: Sessions): Effect.Effect<SqlClient.SqlClient, never, Reactivity> =>
  SqlClient.make({
    acquirer: get,
    borrower: borrow,
    transactionAcquirer: pinned,
    compiler: PgClient.makeCompiler(),
    driver: "pg",
    prepareTransactionControls: true,
    commit,
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    spanAttributes: [["db.system.name", "postgresql"]]
  })

const settingStatement = (settings: Readonly<Record<string, string>>): string => {
  const calls = Object.entries(settings).map(([name, value]) => `set_config(${quoted(name)}, ${quoted(value)}, false)`)
  return `select ${calls.join(", ")}`
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

/**
 * Returns a session in the form that the library's statements use. Rows need no transforms: their types say how they
 * are read.
 */
const connectionOver = (session: PgConnection.PgConnection): Connection => ({
  execute: (text, parameters) => rowsOf(session.query(text, parameters)),
  executeRaw: (text, parameters) => session.query(text, parameters),
  executeValues: (text, parameters) => session.queryValues(text, parameters),
  executeValuesUnprepared: (text, parameters) => session.queryValues(text, parameters, false),
  executeUnprepared: (text, parameters) => rowsOf(session.query(text, parameters, false)),
  executeStream: (text, parameters) => session.stream(text, parameters)
})

const rowsOf = (asked: Effect.Effect<PgConnection.Result, SqlError>) => Effect.map(asked, ({ rows }) => rows)

/** PostgreSQL answers the commit of a failed transaction with a rollback. */
const commit = (connection: Connection): Effect.Effect<void, SqlError> =>
  Effect.flatMap(connection.executeRaw("COMMIT", []), (result) =>
    (result as PgConnection.Result).command === "ROLLBACK" ? Effect.fail(rolledBack()) : Effect.void
  )

const rolledBack = () => {
  const message = "COMMIT rolled back an aborted transaction"
  return new SqlError({ reason: new UnknownError({ cause: new Error(message), message, operation: "commit" }) })
}
