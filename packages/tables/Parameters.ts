import { PgTypes } from "@effect/sql-pg"
import type { JsonColumn, JsonText } from "./StoredJson.ts"

/** Column types of parameters and of rows of a write; instants travel as epoch milliseconds. */
export type ColumnType = "text" | "int4" | "int8" | "float8" | "bool" | "timestamptz" | "bytea"

declare const valueType: unique symbol

/** The type of a column whose declaration says which values it takes. */
export type TypedColumn<T extends ColumnType, V> = T & { readonly [valueType]: V }

/** The values that a column of that type takes. */
export type ColumnValue<T extends ColumnType> = T extends { readonly [valueType]: infer V }
  ? V
  : T extends JsonColumn<infer A>
    ? JsonText<A> | null
    : T extends "text"
      ? string | null
      : T extends "int4" | "int8" | "float8" | "timestamptz"
        ? number | null
        : T extends "bool"
          ? boolean | null
          : Uint8Array | null

/** Values by column. */
export type RowOf<C extends Record<string, ColumnType>> = { readonly [K in keyof C]: ColumnValue<C[K]> }

/** Binds an instant in epoch milliseconds: PostgreSQL would read a plain number as an integer. */
export const instant = (millis: number | null): PgTypes.Parameter => PgTypes.timestamptz(millis)

/** Binds values of one type as an array; without the type a column of only nulls could not be sent. */
export const arrayParameter = <T extends ColumnType>(
  type: T,
  values: ReadonlyArray<ColumnValue<T>>
): PgTypes.Parameter => ({
  [PgTypes.ParameterTypeId]: PgTypes.ParameterTypeId,
  oid: arrayOids[type],
  value: values
})

const arrayOids: { readonly [T in ColumnType]: number } = {
  text: PgTypes.OID.textArray,
  int4: PgTypes.OID.int4Array,
  int8: PgTypes.OID.int8Array,
  float8: PgTypes.OID.float8Array,
  bool: PgTypes.OID.boolArray,
  timestamptz: PgTypes.OID.timestamptzArray,
  bytea: PgTypes.OID.byteaArray
}
