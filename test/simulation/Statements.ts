import { PgClient } from "@effect/sql-pg"
import { Clock, Effect, Layer } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql"
import { connectionOver } from "../support/SteadyDatabase.ts"
import type { Ways } from "./Ways.ts"

/** The database as one node reaches it: every statement takes its turn. `database` is reached in real time. */
export const layerStatements = (
  { clock, sql }: { readonly sql: SqlClient.SqlClient; readonly clock: Clock.Clock },
  ways: Ways
) =>
  Layer.effect(
    SqlClient.SqlClient,
    SqlClient.make({
      acquirer: Effect.succeed(
        connectionOver(sql, (text, statement) =>
          ways.ask(labelOf(text), Effect.provideService(statement, Clock.Clock, clock))
        )
      ),
      compiler: PgClient.makeCompiler(),
      driver: "pg",
      spanAttributes: []
    })
  ).pipe(Layer.provide(Reactivity.layer))

const labelOf = (text: string): string => text.trimStart().slice(0, 40).replaceAll(/\s+/g, " ")
