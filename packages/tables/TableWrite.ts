import type { ChangedColumns, ColumnName, Table, WriteColumns } from "./Table.ts"
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
    readonly guard?: (source: string) => string
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
    where ${behindKey(guard)} order by ${keys.map((key) => `t.${key}`).join(", ")} for update of t`,
    sql: (source) =>
      lines(
        `update ${table} t set ${set.join(", ")}`,
        `from ${source} r where ${same}`,
        where && `and ${behindKey(where)}`,
        spec.returning && `returning ${spec.returning} as key`
      )
  })
}

// A plan made while no row met the condition would otherwise read the whole partial index of that condition, because it
// looked empty, and still read it when a hundred thousand rows wait. No index follows from this form.
const behindKey = (condition: string): string => `coalesce(${condition}, false)`

/** SQL by column of a declared table. */
type ValuesOf<T extends Table> = { readonly [C in ColumnName<T>]?: string }

/**
 * Declares the insert of rows into a declared table, with these columns. Refuses one that leaves out a column which is
 * neither nullable nor filled by PostgreSQL.
 */
export const insertInto = <T extends Table, const C extends ColumnName<T>, const B extends Columns = None>(
  table: T,
  spec: Omit<Derived<WriteColumns<T, C>, B>, "table" | "values"> & {
    readonly columns: ReadonlyArray<C>
    readonly values?: ValuesOf<T>
    readonly conflict?:
      | "ignore"
      | { readonly on: ReadonlyArray<ColumnName<T>>; readonly update?: ReadonlyArray<ColumnName<T>> }
    readonly guard?: (source: string) => string
    readonly claims?: C
  }
): Write<WriteColumns<T, C> & B> => {
  const { columns, values = {}, ...rest } = spec
  const written = new Set<string>([...columns, ...Object.keys(values)])
  const missing = Object.entries(table.columns).flatMap(([name, { hasDefault, isNullable }]) =>
    hasDefault || isNullable || written.has(name) ? [] : [name]
  )
  if (missing.length > 0) throw new Error(`an insert into ${table.name} has to write ${missing.join(", ")}`)
  return defineInsert<WriteColumns<T, C>, B>({
    ...rest,
    table: table.name,
    columns: parametersOf(table, columns),
    values: values as Values
  })
}

/**
 * Declares the update of rows of a declared table: `set` are the columns that get the member of that name. Rows are found by
 * the primary key, or by the columns of `key`; the row of the primary key is the target unless the write names another.
 */
export const updateOf = <
  T extends Table,
  const S extends ColumnName<T> = never,
  const K extends ColumnName<T> = T["key"][number] & ColumnName<T>,
  const V extends ColumnName<T> = never,
  const B extends Columns = None
>(
  table: T,
  spec: Omit<Derived<WriteColumns<T, K> & ChangedColumns<T, S, V>, B>, "table" | "values" | "name"> & {
    readonly name: string
    readonly key?: ReadonlyArray<K>
    readonly set?: ReadonlyArray<S>
    readonly values?: { readonly [C in V]: string }
    readonly where?: string
    readonly guard?: string
  }
): Write<WriteColumns<T, K> & ChangedColumns<T, S, V> & B> => {
  const { key = table.key as ReadonlyArray<K>, set = [], target, values, ...rest } = spec
  if (target === undefined && table.key.some((name) => !key.includes(name as K))) {
    throw new Error(`the write ${spec.name} does not find ${table.name} by its primary key: it has to name its target`)
  }
  const ofRow = rowOf(table.name, ...table.key) as unknown as Target<WriteColumns<T, K> & ChangedColumns<T, S, V> & B>
  return defineUpdate<WriteColumns<T, K>, ChangedColumns<T, S, V>, B>({
    ...rest,
    table: table.name,
    key: parametersOf(table, key),
    set: parametersOf(table, set) as ChangedColumns<T, S, V>,
    values: { ...values },
    target: target ?? ofRow
  })
}

const parametersOf = <T extends Table, C extends ColumnName<T>>(
  table: T,
  names: ReadonlyArray<C>
): WriteColumns<T, C> =>
  Object.fromEntries(
    names.map((name) => {
      const type = table.columns[name]?.parameter
      if (type === undefined) throw new Error(`${table.name}.${name} is written by SQL of its own: name it in values`)
      return [name, type]
    })
  ) as WriteColumns<T, C>

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
