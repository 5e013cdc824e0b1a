import { createHash } from "node:crypto"
import { type Schema, SchemaAST } from "effect"
import type { KeyOf } from "./Links.ts"

/** Returns the key of an operation, or undefined when JSON does not carry its items and results unchanged. */
export const operationKey: KeyOf = (type, tag, operation) => {
  const item = plainShape(operation.item)
  const result = plainShape(operation.result)
  if (operation.mode === "long" || item === undefined || result === undefined) return undefined
  const shape = createHash("sha256").update(`${item}\n${result}`).digest("base64url").slice(0, 16)
  return `${type}.${tag}#${shape}`
}

/**
 * Returns a text that describes the shape of a schema's values, equal for equal shapes on nodes of two releases.
 * Undefined when JSON does not carry the values unchanged: a date, bytes, an instance of a class. Numbers count as
 * finite.
 */
export const plainShape = (schema: Schema.Top): string | undefined => {
  const shape = shapeOf(SchemaAST.toType(schema.ast), [])
  return shape === lossy || shape.includes(lossy) ? undefined : shape
}

/** Marks a value that JSON does not carry; no description of a plain value contains it. */
const lossy = "\u0000"

/** The nesting depth beyond which a shape is not described. */
const deepest = 40

const shapeOf = (ast: SchemaAST.AST, above: ReadonlyArray<SchemaAST.AST>): string => {
  // A shape that contains itself could only be described by name.
  if (above.length > deepest || above.includes(ast)) return lossy
  const within = [...above, ast]
  switch (ast._tag) {
    case "String":
    case "Boolean":
    case "Number":
    case "Null":
    case "Unknown":
    case "Any":
      return ast._tag
    case "TemplateLiteral":
      return "String"
    // JSON omits the member in both cases, and a reader finds undefined again.
    case "Undefined":
    case "Void":
      return "Undefined"
    case "Literal":
      return typeof ast.literal === "bigint" ? lossy : JSON.stringify(ast.literal)
    case "Enum":
      return ast.enums.map(([, value]) => JSON.stringify(value)).join("|")
    case "Union":
      return `(${ast.types.map((type) => shapeOf(type, within)).join("|")})`
    case "Arrays":
      return `[${[...ast.elements, ...ast.rest].map((element) => elementOf(element, within)).join()};${ast.elements.length}]`
    case "Objects":
      return objectShape(ast, within)
    default:
      return lossy
  }
}

const objectShape = (ast: SchemaAST.Objects, within: ReadonlyArray<SchemaAST.AST>): string => {
  const members = ast.propertySignatures.map(({ name, type }) =>
    typeof name === "symbol"
      ? lossy
      : `${JSON.stringify(name)}${type.context?.isOptional === true ? "?" : ""}:${shapeOf(type, within)}`
  )
  const indexes = ast.indexSignatures.map(
    ({ parameter, type }) => `[${shapeOf(parameter, within)}]:${shapeOf(type, within)}`
  )
  return `{${[...members.sort(), ...indexes].join()}}`
}

/** JSON turns an element that is undefined into null. */
const elementOf = (ast: SchemaAST.AST, within: ReadonlyArray<SchemaAST.AST>): string => {
  const shape = shapeOf(ast, within)
  return shape.startsWith("Undefined") || /^\(.*\bUndefined\b/.test(shape) ? lossy : shape
}
