import { PgClient } from "@effect/sql-pg"
import { Clock, Effect, Layer } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql"
import type { Connection } from "effect/sql/SqlConnection"
import type { SqlError } from "effect/sql/SqlError"
import { TestDatabase } from "./TestDatabase.ts"

const live = Layer.sync(Clock.Clock, () => Clock.Clock.defaultValue())

/**
 * The test file's database for tests that leap over weeks: its connections use real time, so that a leap does not end
 * one that is being opened.
 */
export const steadyDatabase: typeof TestDatabase.layer = Layer.unwrap(
  Effect.map(Clock.Clock.pipe(Effect.provide(live)), (clock) =>
    Layer.provideMerge(
      Layer.effect(
        SqlClient.SqlClient,
        Effect.flatMap(SqlClient.SqlClient, (sql) =>
          SqlClient.make({
            acquirer: Effect.succeed(
              connectionOver(sql, (_, statement) => Effect.provideService(statement, Clock.Clock, clock))
            ),
            compiler: PgClient.makeCompiler(),
            driver: "pg",
            spanAttributes: []
          })
        )
      ).pipe(Layer.provide(Reactivity.layer)),
      Layer.provide(TestDatabase.layer, live)
    )
  )
)

/** Returns a connection over a client; `ask` receives each statement as text and effect. */
export const connectionOver = (
  sql: SqlClient.SqlClient,
  ask: <A>(text: string, statement: Effect.Effect<A, SqlError>) => Effect.Effect<A, SqlError>
): Connection => ({
  execute: (text, parameters) => ask(text, sql.unsafe(text, parameters)),
  executeRaw: (text, parameters) => ask(text, sql.unsafe(text, parameters).raw),
  executeValues: (text, parameters) => ask(text, sql.unsafe(text, parameters).values),
  executeUnprepared: (text, parameters) => ask(text, sql.unsafe(text, parameters).unprepared),
  executeValuesUnprepared: (text, parameters) => ask(text, sql.unsafe(text, parameters).valuesUnprepared),
  executeStream: () => {
    throw new Error("nobody streams")
  }
})
