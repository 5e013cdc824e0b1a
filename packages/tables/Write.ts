import type { ColumnType, RowOf } from "./Parameters.ts"

/** The columns of a write's rows. */
export type Columns = Record<string, ColumnType>

/** One kind of row set: the statement that writes it and the columns it reads. */
export interface Write<C extends Columns = Columns> {
  readonly name: string
  readonly columns: C
  /** Returns the statement, which reads from `source`, a relation of the columns and `unit`. */
  readonly sql: (source: string) => string
  /** Statements that run first and that `sql` may refer to by name (a counter moved within its limit). */
  readonly before: ReadonlyArray<Step>
  /**
   * Selects the `unit`s whose rows may be written, out of `asked`, which holds the rows before the gate; it locks the
   * rows that it reads (`for update`). A unit left out is skipped as a whole: no row, no idempotency record, no
   * returned key. One row a unit; name the locked row as a target, so that two units of one batch cannot pass together.
   */
  readonly guard?: ((source: string) => string) | undefined
  /** True when the statement ends in `returning <text> as key`; the keys are returned with the outcome. */
  readonly returns: boolean
  /**
   * Names the column with a row's `key` when the statement is a claim. A claim runs before the gate, for rows whose
   * unit has its lease and passed all guards, and a unit whose key it does not return is skipped. Of two statements
   * that want one row at one time, on any node, one passes. When the unit's idempotency record turns out to be taken
   * afterwards, the claim stays behind: readers must recognise a claim without its rows.
   */
  readonly claims?: string | undefined
  /**
   * The existing rows that a row changes, as one name or several. Two units of one target never travel in one
   * statement, because PostgreSQL applies only one change of a row per statement.
   */
  readonly target?: Target<C> | undefined
  /**
   * True when the statement applies all its rows of a target at once (it adds them up), so that units of one target may
   * travel together. They still wait while one of them is searched beside the main statement.
   */
  readonly isMerging: boolean
  /** Makes one row for a unit. */
  readonly row: (values: RowOf<C>) => Row
}

/** A statement that runs before the write's own. */
export interface Step {
  readonly name: string
  readonly sql: (source: string) => string
}

/** Returns the name of the row that a row changes: table and key. */
export type Target<C extends Columns> = (row: RowOf<C>) => string | ReadonlyArray<string>

/** A row of a unit. */
export interface Row {
  readonly write: Write
  readonly values: Readonly<Record<string, unknown>>
}

/** The declaration of a write with SQL of its own. */
export interface WriteSpec<C extends Columns> {
  readonly name: string
  readonly columns: C
  readonly sql: (source: string) => string
  readonly before?: ReadonlyArray<Step> | undefined
  readonly guard?: ((source: string) => string) | undefined
  readonly returns?: boolean | undefined
  readonly claims?: (keyof C & string) | undefined
  readonly target?: Target<C> | undefined
  readonly isMerging?: boolean | undefined
}

/**
 * Declares a write with its own statement; `TableWrite.ts` derives the usual ones. `name` is lower case with dots
 * (`messages.insert`). Refuses a write that changes or deletes rows and names no target.
 */
export const defineWrite = <const C extends Columns>(spec: WriteSpec<C>): Write<C> => {
  const before = spec.before ?? []
  const statements = [spec.sql("source"), ...before.map((step) => step.sql("source"))]
  if (spec.target === undefined && statements.some(changesRows)) {
    throw new Error(`the write ${spec.name} changes rows: it has to name them as its target`)
  }
  const write: Write<C> = {
    name: spec.name,
    columns: spec.columns,
    sql: spec.sql,
    before,
    guard: spec.guard,
    returns: spec.returns ?? spec.claims !== undefined,
    claims: spec.claims,
    target: spec.target,
    isMerging: spec.isMerging ?? false,
    row: (values) => ({ write: write as unknown as Write, values })
  }
  return write
}

// Neither locks (`for update`) nor columns (`updated_at`) match.
const changesRows = (sql: string): boolean =>
  /(?<!\bfor\s+(?:no\s+key\s+)?)\bupdate\s|\bdelete\s+from\b|\bmerge\s+into\b/i.test(sql)
