import { Schema } from "effect"

/** List query: page size and position. A-CONV-14..17 */
export const pageQuery = (max = 100) => ({
  limit: Schema.optionalKey(integerParam(1, max)),
  starting_after: Schema.optionalKey(Schema.String)
})

/** An integer written in a query string, within bounds (both included). */
export const integerParam = (minimum: number, maximum: number) =>
  Schema.String.check(
    Schema.makeFilter((text: string) => /^\d{1,9}$/.test(text) && Number(text) >= minimum && Number(text) <= maximum, {
      expected: `an integer from ${minimum} to ${maximum}`,
      toJsonSchema: () => [{ minimum, maximum }, true]
    })
  ).annotate({ description: `Integer ${minimum}..${maximum}` })

/** The list envelope. A-CONV-13, A-CONV-22 */
export const pageOf = <S extends Schema.Top>(item: S) =>
  Schema.Struct({
    object: Schema.Literal("list"),
    data: Schema.Array(item),
    has_more: Schema.Boolean,
    next_cursor: Schema.NullOr(Schema.String),
    trace_id: Schema.String
  })

/** Page size used when `limit` is absent. A-CONV-14 */
export const defaultPageSize = 20
