import type { ColumnType, TypedColumn } from "./Parameters.ts"
import type { JsonText } from "./StoredJson.ts"

declare const valueType: unique symbol

/** The types of columns, by the names that PostgreSQL gives them in `information_schema.columns.udt_name`. */
type PgType = ColumnType | "date" | "_text" | "_int8"

/** A column of a table. `V` is the type of its value in a row, `P` the type that a write binds; dates and arrays have none. */
export interface Column<V = unknown, P extends ColumnType | undefined = ColumnType | undefined> {
  readonly type: PgType
  readonly parameter: P
  readonly isNullable: boolean
  /** True where PostgreSQL fills the column of an insert that leaves it out. */
  readonly hasDefault: boolean
  /** The content of a `bytea` column; undefined for columns of other types, and for bytes that may tell of customers. */
  readonly holds: string | undefined
  readonly [valueType]?: () => V
}

/** How a table stands towards the erasure of a customer. gaps-2 I "Erasure" */
export type ErasureStanding =
  /** Rows tell of the customer before, and none does after. */
  | "erased"
  /** Rows go on telling of the customer, for this reason. */
  | { readonly keeps: string }
  /** No row ever tells of a customer, because of what it holds. */
  | { readonly holds: string }

/** What a reset of a sandbox does with its rows of a table, where it does not delete them all. Decision 0140 */
export type ResetStanding =
  /** It deletes a part of them, or changes them. */
  | "changed"
  /** It leaves them as they are, for this reason. */
  | { readonly leaves: string }

/** The declaration of a table: what reads, writes, and every list of tables are derived from. */
export interface Table<C extends Columns = Columns, K extends string = string> {
  readonly name: string
  /** The room, shared ground or package that its declaration stands in, and that alone writes it unless a list excepts others. */
  readonly owner: string
  readonly erasure: ErasureStanding
  /** A reset of a sandbox deletes its rows unless this says otherwise; without meaning for a table without such rows. */
  readonly reset?: ResetStanding
  /** The columns of the primary key, in its order. */
  readonly key: ReadonlyArray<K>
  readonly columns: C
}

type Columns = Readonly<Record<string, Column>>

/** Declares a table. A test holds it against the schema, and `select`, `insertInto` and `updateOf` derive SQL from it. */
export const defineTable = <const C extends Columns, const K extends keyof C & string>(
  name: string,
  spec: Omit<Table<C, K>, "name">
): Table<C, K> => ({ name, ...spec })

/** The names of a table's columns. */
export type ColumnName<T extends Table> = keyof T["columns"] & string

type ValueOf<C> = C extends Column<infer V, infer _P> ? V : never
type ParameterOf<C> = C extends Column<infer V, infer P> ? (P extends ColumnType ? TypedColumn<P, V> : never) : never
type NullableParameterOf<C> =
  C extends Column<infer V, infer P> ? (P extends ColumnType ? TypedColumn<P, V | null> : never) : never

/** The row of a table, or those columns of it, as the driver returns it. */
export type TableRow<T extends Table, N extends ColumnName<T> = ColumnName<T>> = {
  readonly [C in N]: ValueOf<T["columns"][C]>
}

/** The columns of a write to a table, each with the type of its values. */
export type WriteColumns<T extends Table, N extends ColumnName<T>> = {
  readonly [C in N]: ParameterOf<T["columns"][C]>
}

/** The columns `N` of an update, of which `V` get SQL: a member for such a column may be null, which its SQL then means. */
export type ChangedColumns<T extends Table, N extends ColumnName<T>, V extends ColumnName<T>> = {
  readonly [C in N]: C extends V ? NullableParameterOf<T["columns"][C]> : ParameterOf<T["columns"][C]>
}

/** Columns of a table, in the order in which a statement selects them. */
export interface Selection<T extends Table = Table, N extends ColumnName<T> = ColumnName<T>> {
  readonly table: T
  readonly names: ReadonlyArray<N>
  /** The list for a statement, such as `id, status`. */
  readonly list: string
  /** Returns the list of columns of a relation with that alias, such as `p.id, p.status`. */
  readonly of: (alias: string) => string
}

/** The row that a statement with this selection returns. */
export type SelectedRow<S> = S extends Selection<infer T, infer N> ? TableRow<T, N> : never

/** Selects columns of a table. */
export const select = <T extends Table, const N extends ColumnName<T>>(
  table: T,
  ...names: ReadonlyArray<N>
): Selection<T, N> => ({
  table,
  names,
  list: names.join(", "),
  of: (alias) => names.map((name) => `${alias}.${name}`).join(", ")
})

const column = <V, P extends ColumnType | undefined>(type: PgType, parameter: P, holds?: string): Column<V, P> => ({
  type,
  parameter,
  isNullable: false,
  hasDefault: false,
  holds
})

/** Columns that are never null and have no default; `nullable` and `defaulted` make others of them. */
export const text = column<string, "text">("text", "text")
export const int4 = column<number, "int4">("int4", "int4")
/** An integer of 64 bits; every value in use is a safe integer. */
export const int8 = column<number, "int8">("int8", "int8")
export const float8 = column<number, "float8">("float8", "float8")
export const bool = column<boolean, "bool">("bool", "bool")
/** An instant in epoch milliseconds. */
export const timestamptz = column<number, "timestamptz">("timestamptz", "timestamptz")
/** A day, which statements cast from and to text. */
export const date = column<string, undefined>("date", undefined)
export const textArray = column<ReadonlyArray<string>, undefined>("_text", undefined)
/** Integers of 64 bits; every value in use is a safe integer. */
export const int8Array = column<ReadonlyArray<number>, undefined>("_int8", undefined)

/** A column of text that holds one of these values, such as a status. */
export const textOf = <V extends string>(): Column<V, "text"> => column<V, "text">("text", "text")

/** A column that holds the JSON text of an `A`. */
export const jsonOf = <A>(): Column<JsonText<A>, "text"> => column<JsonText<A>, "text">("text", "text")

/** A column of bytes that the product does not open again, or that tells of the tenant alone, with what it holds. */
export const bytes = (holds: string): Column<Uint8Array, "bytea"> =>
  column<Uint8Array, "bytea">("bytea", "bytea", holds)

/**
 * A column of bytes that holds a sealed value of that type. `holds` says what it is where no erasure has to look into it; the
 * test of erasure opens the others.
 */
export const sealed = (_value: Column, holds?: string): Column<Uint8Array, "bytea"> =>
  column<Uint8Array, "bytea">("bytea", "bytea", holds)

/** A column that may be null. */
export const nullable = <V, P extends ColumnType | undefined>(of: Column<V, P>): Column<V | null, P> => ({
  type: of.type,
  parameter: of.parameter,
  isNullable: true,
  hasDefault: of.hasDefault,
  holds: of.holds
})

/** A column that PostgreSQL fills where an insert leaves it out. */
export const defaulted = <V, P extends ColumnType | undefined>(of: Column<V, P>): Column<V, P> => ({
  ...of,
  hasDefault: true
})
