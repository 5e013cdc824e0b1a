import { PgTypes } from "@effect/sql-pg"

/** Column types a write can carry; instants travel as epoch milliseconds. */
export type ColumnType = "text" | "int4" | "int8" | "float8" | "bool" | "timestamptz" | "bytea"

/** What a row of a write holds for a column of that type. */
export type ColumnValue<T extends ColumnType> = T extends "text"
  ? string | null
  : T extends "int4" | "int8" | "float8" | "timestamptz"
    ? number | null
    : T extends "bool"
      ? boolean | null
      : Uint8Array | null

/** The rows of one write, by column. */
export type RowOf<C extends Record<string, ColumnType>> = { readonly [K in keyof C]: ColumnValue<C[K]> }

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

const arrayOids: { readonly [T in ColumnType]: number } = {
  text: PgTypes.OID.textArray,
  int4: PgTypes.OID.int4Array,
  int8: PgTypes.OID.int8Array,
  float8: PgTypes.OID.float8Array,
  bool: PgTypes.OID.boolArray,
  timestamptz: PgTypes.OID.timestamptzArray,
  bytea: PgTypes.OID.byteaArray
}

/** A typed array parameter; without the type a column of nulls only could not be sent. */
export const arrayParameter = (type: ColumnType, values: ReadonlyArray<unknown>): PgTypes.Parameter => ({
  [PgTypes.ParameterTypeId]: PgTypes.ParameterTypeId,
  oid: arrayOids[type],
  value:
    type === "timestamptz"
      ? values.map((value) => (value === null ? null : new Date(value as number)))
      : type === "int8"
        ? values.map((value) => (value === null ? null : BigInt(value as number)))
        : values
})
