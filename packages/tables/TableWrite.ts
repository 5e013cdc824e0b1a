import { type Columns, defineWrite, type Step, type Target, type Write } from "./Write.ts"

type None = Record<never, never>

/** SQL over `r`, the row to write, by column of the table. */
type Values = Readonly<Record<string, string>>

/** The treatment of existing rows by an insert: it ignores them, or ignores or updates the row of that key. */
type Conflict = "ignore" | { readonly on: ReadonlyArray<string>; readonly update?: ReadonlyArray<string> }

interface Derived<C extends Columns, B extends Columns> {
  readonly table: string
  /** The name of the write; `<table>.insert` by default. */
  readonly name?: string
  /** Members of a row that are not written as columns, for `values`, `where` and guards. */
  readonly beside?: B
  /** SQL for columns whose value is not the row's member of that name. */
  readonly values?: Values
  /** SQL of the text that is returned as key. */
  readonly returning?: string
  readonly before?: ReadonlyArray<Step>
  readonly target?: Target<NoInfer<C & B>>
}

/** Declares the insert of rows with these columns into a table, in the order of a conflict's key. */
export const defineInsert = <const C extends Columns, const B extends Columns = None>(
  spec: Derived<C, B> & {
    readonly columns: C
    readonly conflict?: Conflict
    readonly guard?: (asked: string) => string
    /** The column with a row's key: if the row already exists, the whole unit is skipped. See `Write.claims`. */
    readonly claims?: keyof C & string
  }
): Write<C & B> => {
  const values = assignments(spec.columns, spec.values)
  return defineWrite<C & B>({
    name: spec.name ?? `${spec.table}.insert`,
    columns: { ...spec.columns, ...spec.beside } as C & B,
    before: spec.before,
    guard: spec.guard,
    target: spec.target,
    claims: spec.claims,
    returns: spec.returning !== undefined,
    sql: (source) =>
      lines(
        `insert into ${spec.table} (${values.map(([column]) => column).join(", ")})`,
        `select ${values.map(([, value]) => value).join(", ")} from ${source} r`,
        ...onConflict(spec.conflict),
        spec.returning && `returning ${spec.returning} as key`
      )
  })
}

/** Declares the update of rows found by their key; `t` is the table's row in all SQL. */
export const defineUpdate = <const K extends Columns, const S extends Columns = None, const B extends Columns = None>(
  spec: Derived<K & S, B> & {
    readonly name: string
    readonly key: K
    readonly set?: S
    /** A condition: a row that does not meet it stays unchanged. */
    readonly where?: string
    /** A condition: unless the row exists and meets it, the whole unit is skipped; the row is locked. */
    readonly guard?: string
    readonly target: Target<NoInfer<K & S & B>>
  }
): Write<K & S & B> => {
  const { guard, table, where } = spec
  const keys = Object.keys(spec.key)
  const same = keys.map((key) => `t.${key} = r.${key}`).join(" and ")
  const set = assignments(spec.set ?? {}, spec.values).map(([column, value]) => `${column} = ${value}`)
  return defineWrite<K & S & B>({
    name: spec.name,
    columns: { ...spec.key, ...spec.set, ...spec.beside } as K & S & B,
    before: spec.before,
    target: spec.target,
    returns: spec.returning !== undefined,
    guard:
      guard === undefined
        ? undefined
        : (asked) => `select r.unit from ${asked} r join ${table} t on ${same}
    where ${guard} order by ${keys.map((key) => `t.${key}`).join(", ")} for update of t`,
    sql: (source) =>
      lines(
        `update ${table} t set ${set.join(", ")}`,
        `from ${source} r where ${same}`,
        where && `and (${where})`,
        spec.returning && `returning ${spec.returning} as key`
      )
  })
}

/** Returns the target name of a table's row, from the columns of its key. */
export const rowOf =
  <const K extends string>(table: string, ...keys: ReadonlyArray<K>) =>
  (row: { readonly [C in K]: string | number | null }): string =>
    `${table}/${keys.map((key) => row[key]).join("/")}`

const assignments = (columns: Columns, values: Values = {}): ReadonlyArray<readonly [column: string, value: string]> =>
  Object.entries({ ...Object.fromEntries(Object.keys(columns).map((column) => [column, `r.${column}`])), ...values })

// Rows are locked in the order of their key, so that two statements never wait for each other.
const onConflict = (conflict: Conflict | undefined): ReadonlyArray<string | undefined> => {
  if (conflict === undefined) return []
  if (conflict === "ignore") return ["on conflict do nothing"]
  const { on, update } = conflict
  if (update === undefined) return [`on conflict (${on.join(", ")}) do nothing`]
  return [
    `order by ${on.map((column) => `r.${column}`).join(", ")}`,
    `on conflict (${on.join(", ")}) do update set ${update.map((column) => `${column} = excluded.${column}`).join(", ")}`
  ]
}

const lines = (...parts: ReadonlyArray<string | undefined>): string =>
  parts.filter((part) => part !== undefined && part !== "").join("\n    ")
