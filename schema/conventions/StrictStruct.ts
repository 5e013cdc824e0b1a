import { Schema, type SchemaAST, SchemaIssue } from "effect"

/**
 * An object that refuses undeclared members, inside a body that ignores unknown ones elsewhere. The refusal is that of
 * an unknown field, so faults of declared fields are reported first. gaps-2 A "Unknown body fields"
 */
export const strictStruct = <const Fields extends Schema.Struct.Fields>(fields: Fields) => {
  const known: ReadonlySet<string> = new Set(Object.keys(fields))
  return Schema.StructWithRest(Schema.Struct(fields), [Schema.Record(Schema.String, Schema.Unknown)]).check(
    Schema.makeFilter(
      (value: object, ast: SchemaAST.AST) => {
        const surplus = Object.keys(value).find((name) => !known.has(name))
        return surplus === undefined
          ? undefined
          : new SchemaIssue.Pointer([surplus], new SchemaIssue.UnexpectedKey(ast, undefined))
      },
      { expected: "no other field", toJsonSchema: () => ({ unevaluatedProperties: false }) }
    )
  )
}
