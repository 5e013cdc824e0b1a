import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Schema, SchemaAST } from "effect"
import { isRefusal, queryDecoder } from "./Decoder.ts"
import { listed, suggest } from "./Expectation.ts"
import { contractError } from "./HttpException.ts"

/** Reads and decodes the text after the question mark. */
export type QueryReader = (search: string) => unknown

/** `code` is the route's validation code, `strict` refuses unknown and repeated parameters. */
export interface QueryOptions {
  readonly code: string
  readonly strict: boolean
}

/**
 * Builds the reader of one route's query. Lists are given by repetition, also spelled `name[]`. A repeated scalar or an
 * unknown name is refused on strict routes and ignored elsewhere. gaps-1 A "Unknown query parameters"
 */
export const queryReader = (schema: Schema.Top | undefined, options: QueryOptions): QueryReader => {
  const declared = schema ?? Schema.Struct({})
  const kinds = parameterKinds(declared.ast)
  const order = [...kinds.keys()]
  const decode = queryDecoder(declared, options)
  const whenEmpty = decode({})
  return (search) => {
    if (search === "") return whenEmpty
    const parsed = parse(search, kinds)
    const decoded = withoutNul(decode(parsed.values), search)
    const refusals: Array<ApiError> = isRefusal(decoded) ? [decoded] : []
    for (const name of parsed.malformed) {
      if (kinds.has(name)) refusals.push(contractError(options.code, `\`${name}\` is not percent-encoded UTF-8.`, name))
    }
    if (options.strict) {
      for (const name of parsed.repeated) {
        refusals.push(contractError(options.code, `\`${name}\` may be given only once.`, name))
      }
      for (const name of parsed.unknown) {
        const hint = suggest(name, order) || (order.length === 0 ? "" : ` Known parameters: ${listed(order)}.`)
        refusals.push(contractError(options.code, `\`${name.slice(0, 128)}\` is not a known parameter.${hint}`, name))
      }
    }
    if (refusals.length === 0) return decoded
    const position = (refusal: ApiError) => {
      const index = order.indexOf(refusal.param?.split(".", 1)[0] ?? "")
      return index < 0 ? order.length : index
    }
    return refusals.reduce((first, one) => (position(one) < position(first) ? one : first))
  }
}

// PostgreSQL takes a NUL in no text. In a filter it becomes a character that no stored text holds.
const withoutNul = (decoded: unknown, search: string): unknown => {
  if (!search.includes("%00") || isRefusal(decoded)) return decoded
  const replaced = (value: unknown): unknown =>
    typeof value === "string"
      ? value.replaceAll("\u0000", "\ufffd")
      : Array.isArray(value)
        ? value.map(replaced)
        : value
  return Object.fromEntries(Object.entries(decoded as object).map(([name, value]) => [name, replaced(value)]))
}

type Kind = "scalar" | "list" | "either"

interface Parsed {
  readonly values: Record<string, string | Array<string>>
  readonly repeated: ReadonlyArray<string>
  readonly unknown: ReadonlyArray<string>
  readonly malformed: ReadonlyArray<string>
}

const parse = (search: string, kinds: ReadonlyMap<string, Kind>): Parsed => {
  const values: Record<string, string | Array<string>> = {}
  const repeated: Array<string> = []
  const unknown: Array<string> = []
  const malformed: Array<string> = []
  for (const pair of search.split("&")) {
    if (pair === "") continue
    const equals = pair.indexOf("=")
    const rawName = equals < 0 ? pair : pair.slice(0, equals)
    const spelled = unescaped(rawName) ?? rawName
    const name = spelled.endsWith("[]") && isList(kinds.get(spelled.slice(0, -2))) ? spelled.slice(0, -2) : spelled
    const kind = kinds.get(name)
    if (kind === undefined) {
      unknown.push(spelled)
      continue
    }
    const value = equals < 0 ? "" : unescaped(pair.slice(equals + 1))
    if (value === undefined) {
      malformed.push(name)
      continue
    }
    const before = values[name]
    if (kind === "scalar") {
      if (before === undefined) values[name] = value
      else repeated.push(name)
    } else if (before !== undefined) values[name] = Array.isArray(before) ? [...before, value] : [before, value]
    else values[name] = kind === "list" || name !== spelled ? [value] : value
  }
  return { values, repeated, unknown, malformed }
}

const isList = (kind: Kind | undefined): boolean => kind === "list" || kind === "either"

const unescaped = (text: string): string | undefined => {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text
  if (!spaced.includes("%")) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    return undefined
  }
}

const parameterKinds = (ast: SchemaAST.AST): ReadonlyMap<string, Kind> => {
  const encoded = SchemaAST.toEncoded(ast)
  const kinds = new Map<string, Kind>()
  if (encoded._tag === "Objects") {
    for (const { name, type } of encoded.propertySignatures) kinds.set(String(name), kindOf(type))
  }
  return kinds
}

const kindOf = (ast: SchemaAST.AST): Kind => {
  if (ast._tag === "Arrays") return "list"
  if (ast._tag !== "Union") return "scalar"
  const members = ast.types.filter((member) => member._tag !== "Undefined").map(kindOf)
  if (members.every((member) => member === "list")) return "list"
  return members.some((member) => member !== "scalar") ? "either" : "scalar"
}
