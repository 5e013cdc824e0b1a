import { PgClient } from "@effect/sql-pg"
import { Clock, Effect, Layer } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql"
import type { Connection } from "effect/sql/SqlConnection"
import type { SqlError } from "effect/sql/SqlError"
import type { Ways } from "./Ways.ts"

/** The database as one node reaches it: every statement takes its turn. `database` is reached in real time. */
export const layerStatements = (
  database: { readonly sql: SqlClient.SqlClient; readonly clock: Clock.Clock },
  ways: Ways
) =>
  Layer.effect(
    SqlClient.SqlClient,
    SqlClient.make({
      acquirer: Effect.succeed(connectionOver(database, ways)),
      compiler: PgClient.makeCompiler(),
      driver: "pg",
      spanAttributes: []
    })
  ).pipe(Layer.provide(Reactivity.layer))

const connectionOver = (
  { clock, sql }: { readonly sql: SqlClient.SqlClient; readonly clock: Clock.Clock },
  ways: Ways
): Connection => {
  const ask = <A>(text: string, statement: Effect.Effect<A, SqlError>) =>
    ways.ask(labelOf(text), Effect.provideService(statement, Clock.Clock, clock))
  return {
    execute: (text, parameters) => ask(text, sql.unsafe(text, parameters)),
    executeRaw: (text, parameters) => ask(text, sql.unsafe(text, parameters).raw),
    executeValues: (text, parameters) => ask(text, sql.unsafe(text, parameters).values),
    executeUnprepared: (text, parameters) => ask(text, sql.unsafe(text, parameters).unprepared),
    executeValuesUnprepared: (text, parameters) => ask(text, sql.unsafe(text, parameters).valuesUnprepared),
    executeStream: () => {
      throw new Error("no owner streams")
    }
  }
}

const labelOf = (text: string): string => text.trimStart().slice(0, 40).replaceAll(/\s+/g, " ")
