import { isDigitNumber } from "@carteiro/tables/StoredJson.ts"
import { SchemaAST } from "effect"
import { findNearest } from "../json/Nearest.ts"

/** The most names in a list; a longer list is cut, and the nearest name is still chosen from all of them. */
const mostListed = 40

/** Returns the values that a place takes, as the rest of the sentence "expected …". It never names a type. */
export const describeExpected = (ast: SchemaAST.AST): string => {
  const members = membersOf(SchemaAST.toEncoded(ast))
  const names = members.flatMap((member) => (member._tag === "Literal" ? [JSON.stringify(member.literal)] : []))
  const others = members.filter((member) => member._tag !== "Literal").map(describeType)
  const choices = names.length > 1 && others.length === 0 ? [`one of ${listed(names)}`] : names
  const described = [...new Set([...choices, ...others])].join(" or ")
  const own = ownWords(ast)
  return own === undefined ? described : names.length > 1 ? `${own}, ${described}` : own
}

/** Returns the contract's own description of a place; the library's words of a bound name no type. */
const ownWords = (ast: SchemaAST.AST): string | undefined => {
  const words = ownExpected(ast) ?? ownMessage(ast)?.replace(/^Expected /, "")
  return words === undefined || showsPattern(words) || words.startsWith("a value") ? undefined : words
}

/** True for the library's own words of a regular expression, which no sentence for people shows. */
export const showsPattern = (words: string): boolean => words.includes("matching the RegExp")

/**
 * Returns `, got a string` and the like for an input whose JSON type no shape of the place has; empty for one of the right type. An
 * empty list where an object belongs is how some languages write an empty object.
 */
export const otherType = (input: unknown, ast: SchemaAST.AST): string => {
  if (input === undefined) return ""
  const sent = jsonTypeOf(input)
  const members = membersOf(SchemaAST.toEncoded(ast))
  const types = members.map(typeOfMember)
  if (types.includes(undefined) || types.includes(sent)) return ""
  const isEmptyList = Array.isArray(input) && input.length === 0 && types.includes("an object")
  return isEmptyList ? ", got an empty list: an empty object is written {}" : `, got ${sent}`
}

/** Returns the JSON type of a value, with its article. */
export const jsonTypeOf = (value: unknown): string => {
  if (value === null) return "null"
  if (Array.isArray(value)) return "a list"
  if (isDigitNumber(value)) return "a number"
  switch (typeof value) {
    case "string":
      return "a string"
    case "number":
      return "a number"
    case "boolean":
      return "a boolean"
    default:
      return "an object"
  }
}

/** Returns the JSON type of one shape; undefined for a shape that takes several. */
const typeOfMember = (member: SchemaAST.AST): string | undefined => {
  if (member._tag === "Literal") return jsonTypeOf(member.literal)
  const name = member._tag === "Number" ? "a number" : describeType(member)
  return name === "true or false" ? "a boolean" : name === "another value" ? undefined : name
}

const ownExpected = SchemaAST.resolveAt<string>("expected")
const ownMessage = SchemaAST.resolveAt<string>("message")

/** Returns the texts that a place takes, if it takes only certain texts. */
export const choicesOf = (ast: SchemaAST.AST): ReadonlyArray<string> =>
  membersOf(SchemaAST.toEncoded(ast)).flatMap((member) =>
    member._tag === "Literal" && typeof member.literal === "string" ? [member.literal] : []
  )

/** Returns the members that an object of the contract may have, over all its shapes. */
export const fieldsAt = (nodes: ReadonlyArray<SchemaAST.AST>): ReadonlyArray<string> => [
  ...new Set(
    nodes
      .flatMap((node) => membersOf(SchemaAST.toEncoded(node)))
      .flatMap((node) => (node._tag === "Objects" ? node.propertySignatures.map(({ name }) => String(name)) : []))
  )
]

/** Returns ` Did you mean …?` when a known name is near to the sent one; the sent name is never repeated. */
export const suggest = (sent: unknown, known: ReadonlyArray<string>): string => {
  const nearest = typeof sent === "string" ? (findNearest(sent, known) ?? namedOtherwise(sent, known)) : undefined
  return nearest === undefined || nearest === sent ? "" : ` Did you mean \`${nearest}\`?`
}

/** Returns the one known name that is written with other separators, or whose last word is the sent one: `messageSent`, `delivered`. */
const namedOtherwise = (sent: string, known: ReadonlyArray<string>): string | undefined => {
  const plain = letters(sent)
  if (plain === "" || sent.length > 64) return undefined
  const same = known.filter((name) => letters(name) === plain)
  const ending = same.length > 0 ? same : known.filter((name) => name.split(".").at(-1) === sent.toLowerCase())
  return ending.length === 1 ? ending[0] : undefined
}

const letters = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "")

/** Returns known names as part of a sentence. */
export const listed = (names: ReadonlyArray<string>): string =>
  names.length > mostListed ? `${names.slice(0, mostListed).join(", ")}, …` : names.join(", ")

const membersOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> => {
  if (ast._tag === "Suspend") return membersOf(ast.thunk())
  return ast._tag === "Union"
    ? ast.types.flatMap(membersOf).filter((member) => member._tag !== "Undefined" && member._tag !== "Never")
    : [ast]
}

const isWhole = (ast: SchemaAST.AST): boolean => (ast.checks ?? []).some((check) => isWholeCheck(check))

const isWholeCheck = (check: SchemaAST.Check<never>): boolean =>
  check._tag === "FilterGroup"
    ? check.checks.some((inner) => isWholeCheck(inner))
    : check.annotations?.representation?.id === "effect/schema/isInt"

const describeType = (ast: SchemaAST.AST): string => {
  switch (ast._tag) {
    case "String":
    case "TemplateLiteral":
      return "a string"
    case "Number":
      return isWhole(ast) ? "an integer" : "a number"
    case "Boolean":
      return "true or false"
    case "Null":
      return "null"
    case "Objects":
      return "an object"
    case "Arrays":
      return "a list"
    default:
      return "another value"
  }
}
