import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import { ReadPatience } from "./ConnectionLimits.ts"
import { withinPatience } from "./Deadline.ts"
import { CurrentStart, patienceDuring } from "./StartPatience.ts"
import { CurrentSlot } from "./StatementSlot.ts"

/** A statement that returns its rows. */
type Statement<Row> = Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError>

/**
 * Returns the rows of a statement, each as `read` converts it. A failing database is a defect, not a result. One that
 * is silent for longer than `ReadPatience`, or than the patience of a start, has failed.
 */
export const many: {
  <Row>(statement: Statement<Row>): Effect.Effect<ReadonlyArray<Row>>
  <Row, A>(statement: Statement<Row>, read: (row: Row) => A): Effect.Effect<ReadonlyArray<A>>
} = <Row, A>(statement: Statement<Row>, read?: (row: Row) => A): Effect.Effect<ReadonlyArray<Row | A>> =>
  asked(statement, (rows) => (read === undefined ? rows : rows.map((row) => read(row))))

/** Returns the first row of a statement, as `read` converts it; undefined when there is none. */
export const one: {
  <Row>(statement: Statement<Row>): Effect.Effect<Row | undefined>
  <Row, A>(statement: Statement<Row>, read: (row: Row) => A): Effect.Effect<A | undefined>
} = <Row, A>(statement: Statement<Row>, read?: (row: Row) => A): Effect.Effect<Row | A | undefined> =>
  asked(statement, ([row]) => (row === undefined || read === undefined ? row : read(row)))

const asked = <Row, A>(statement: Statement<Row>, read: (rows: ReadonlyArray<Row>) => A): Effect.Effect<A> =>
  Effect.withFiber((fiber) => {
    const patience = patienceDuring(fiber.getRef(CurrentStart), fiber.getRef(ReadPatience))
    const asking = Effect.orDie(Effect.map(withinPatience(statement, patience), (rows) => read(rows)))
    const slot = fiber.getRef(CurrentSlot)
    return slot === undefined ? asking : Effect.andThen(slot.enter, asking)
  })
