import type { ColumnType, RowOf } from "../sql/Parameters.ts"

/** One kind of row set: the statement it becomes and the columns it reads. */
export interface Write<C extends Record<string, ColumnType> = Record<string, ColumnType>> {
  readonly name: string
  readonly columns: C
  /** The statement, reading from `source`, a relation of the columns and `unit`. */
  readonly sql: (source: string) => string
  /** Statements that run first and that `sql` may read by name (a counter moved within its limit). */
  readonly before: ReadonlyArray<{ readonly name: string; readonly sql: (source: string) => string }>
  /**
   * Selects the `unit`s whose rows may be written, out of `asked`, which holds the rows before the gate; it locks what
   * it looks at (`for update`). A unit left out writes nothing: none of its rows, no idempotency record, no key handed
   * back. One row a unit; name the locked row as a target, so that two units of one batch cannot pass together.
   */
  readonly guard?: ((asked: string) => string) | undefined
  /** True when the statement ends in `returning <text> as key`; the keys are handed back with the outcome. */
  readonly returns: boolean
  /**
   * What a row touches when it changes existing rows, one name or several. Two units of one target never travel in one
   * statement, since PostgreSQL applies only one change of a row per statement.
   */
  readonly target?: ((row: RowOf<C>) => string | ReadonlyArray<string>) | undefined
  /** One row for a unit. */
  readonly row: (values: RowOf<C>) => Row
}

/** A row on its way into a commit. */
export interface Row {
  readonly write: Write
  readonly values: Readonly<Record<string, unknown>>
}

/** Declares a write. `name` is lower case with dots (`messages.insert`). */
export const defineWrite = <const C extends Record<string, ColumnType>>(spec: {
  readonly name: string
  readonly columns: C
  readonly sql: (source: string) => string
  readonly before?: ReadonlyArray<{ readonly name: string; readonly sql: (source: string) => string }>
  readonly guard?: (asked: string) => string
  readonly returns?: boolean
  readonly target?: (row: RowOf<C>) => string | ReadonlyArray<string>
}): Write<C> => {
  const write: Write<C> = {
    name: spec.name,
    columns: spec.columns,
    sql: spec.sql,
    before: spec.before ?? [],
    guard: spec.guard,
    returns: spec.returns ?? false,
    target: spec.target,
    row: (values) => ({ write: write as unknown as Write, values })
  }
  return write
}
