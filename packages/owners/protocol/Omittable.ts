import { Schema, SchemaAST } from "effect"

/**
 * Returns a codec that takes values without members that may be undefined. A link carries values as JSON, which omits such
 * members, and a value that came that way may travel on by the runtime library's RPC, whose schemas ask for each member.
 */
export const omittable = <A>(codec: Schema.Codec<A, unknown>): Schema.Codec<A, unknown> =>
  Schema.make(withoutMembers(codec.ast))

const withoutMembers = (ast: SchemaAST.AST): SchemaAST.AST => {
  // What a transformation reads and writes is its own affair.
  if (ast.encoding !== undefined) return ast
  switch (ast._tag) {
    case "Objects":
      return new SchemaAST.Objects(
        ast.propertySignatures.map(({ name, type }) => {
          const inner = withoutMembers(type)
          return new SchemaAST.PropertySignature(
            name,
            mayBeUndefined(type) ? Schema.optionalKey(Schema.make(inner)).ast : inner
          )
        }),
        ast.indexSignatures.map(({ parameter, type }) => new SchemaAST.IndexSignature(parameter, withoutMembers(type))),
        ast.annotations,
        ast.checks,
        undefined,
        ast.context,
        ast.encodingChecks
      )
    case "Arrays":
      return new SchemaAST.Arrays(
        ast.isMutable,
        ast.elements.map(withoutMembers),
        ast.rest.map(withoutMembers),
        ast.annotations,
        ast.checks,
        undefined,
        ast.context,
        ast.encodingChecks
      )
    case "Union":
      return new SchemaAST.Union(
        ast.types.map(withoutMembers),
        ast.options,
        ast.annotations,
        ast.checks,
        undefined,
        ast.context,
        ast.encodingChecks
      )
    default:
      return ast
  }
}

const mayBeUndefined = (ast: SchemaAST.AST): boolean =>
  ast._tag === "Undefined" || (ast._tag === "Union" && ast.types.some(mayBeUndefined))
