import { Schema } from "effect"
import { TraceId } from "./Ids.ts"

/** Page size used when `limit` is absent. A-CONV-14 */
export const defaultPageSize = 20

/** List query: page size and position. A-CONV-14..17 */
export const pageQuery = (max = 100) => ({
  limit: Schema.optionalKey(integerParam(1, max)).annotate({
    description: `Rows per page, 1 to ${max}; ${defaultPageSize} by default.`
  }),
  starting_after: Schema.optionalKey(Schema.String).annotate({
    description: "next_cursor of the previous page; omit it for the first page."
  })
})

/** An integer in a query string, within inclusive bounds. */
export const integerParam = (minimum: number, maximum: number) =>
  Schema.String.check(
    Schema.makeFilter((text: string) => /^\d{1,9}$/.test(text) && Number(text) >= minimum && Number(text) <= maximum, {
      expected: `an integer from ${minimum} to ${maximum}`,
      toJsonSchema: () => [{ minimum, maximum }, true]
    })
  ).annotate({ description: `An integer from ${minimum} to ${maximum}.` })

/** The list envelope. A-CONV-13, A-CONV-22 */
export const pageOf = <S extends Schema.Top>(item: S) =>
  Schema.Struct({
    object: Schema.Literal("list"),
    data: Schema.Array(item).annotateKey({ description: "The rows of this page." }),
    has_more: Schema.Boolean.annotateKey({ description: "Whether another page follows." }),
    next_cursor: Schema.NullOr(Schema.String).annotateKey({
      description: "Cursor of the next page; null on the last page."
    }),
    trace_id: TraceId
  })

/**
 * The position of a page of people: how many rows, a thousand of a file, and the id before which they begin; rows come newest
 * first.
 */
export const rowsQuery = {
  limit: integerParam(1, 1001),
  before: Schema.optionalKey(Schema.String)
}

/** The rows of a page of people. */
export const rowsOf = <S extends Schema.Top>(item: S) =>
  Schema.Struct({ object: Schema.Literal("list"), data: Schema.Array(item), trace_id: TraceId })
