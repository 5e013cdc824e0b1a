import { Effect } from "effect"
import type { SqlError } from "effect/sql"

/** A statement under way to its rows. */
type Asked<Row> = Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError>

/** The rows of a statement, each as `read` shows it. A failing database is a defect, not a result: house style (b). */
export const many: {
  <Row>(statement: Asked<Row>): Effect.Effect<ReadonlyArray<Row>>
  <Row, A>(statement: Asked<Row>, read: (row: Row) => A): Effect.Effect<ReadonlyArray<A>>
} = <Row, A>(statement: Asked<Row>, read?: (row: Row) => A): Effect.Effect<ReadonlyArray<Row | A>> =>
  Effect.orDie(Effect.map(statement, (rows) => (read === undefined ? rows : rows.map((row) => read(row)))))

/** The first row of a statement, as `read` shows it; undefined when there is none. */
export const one: {
  <Row>(statement: Asked<Row>): Effect.Effect<Row | undefined>
  <Row, A>(statement: Asked<Row>, read: (row: Row) => A): Effect.Effect<A | undefined>
} = <Row, A>(statement: Asked<Row>, read?: (row: Row) => A): Effect.Effect<Row | A | undefined> =>
  Effect.orDie(Effect.map(statement, ([row]) => (row === undefined || read === undefined ? row : read(row))))
