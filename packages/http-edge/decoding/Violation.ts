import { SchemaAST, SchemaIssue } from "effect"
import { choicesOf, describeExpected, jsonTypeOf, listed, otherType, showsPattern, suggest } from "./Expectation.ts"

/** One place where an input breaks its contract. */
export interface Violation {
  /** Keys and indexes from the root; empty when the root itself is wrong. */
  readonly path: ReadonlyArray<PropertyKey>
  readonly kind: "wrong" | "missing" | "unknown"
  /** The contract's expectation, as `Expected …`; it never holds the input. */
  readonly expected: string
  /** ` Did you mean …?` with a name of the contract; empty when none is near. */
  readonly suggestion: string
}

/**
 * Returns the violation to report among all that were found: the first contract field in the order of the contract,
 * then unknown fields. gaps-1 A "error.param syntax and which error is reported"
 */
export const firstViolation = (issue: SchemaIssue.Issue, input: unknown): Violation =>
  first(violationsIn(issue, { path: [], expected: undefined, input }))

/** Returns the refusal code of the annotated schema nearest to the end of `path`. */
export const errorCodeAt = (ast: SchemaAST.AST, path: ReadonlyArray<PropertyKey>): string | undefined => {
  let nearest = codeOf(ast)
  for (let depth = 1; depth <= path.length; depth++) {
    for (const node of schemasAt(ast, path.slice(0, depth))) nearest = codeOf(node) ?? nearest
  }
  return nearest
}

/** Returns the refusal code of a schema whose member at `path` is missing. */
export const missingCodeAt = (ast: SchemaAST.AST, path: ReadonlyArray<PropertyKey>): string | undefined =>
  schemasAt(ast, path)
    .map((node) => missingCodeOf(node))
    .find((code) => code !== undefined)

/** Returns the schemas of the place at `path`; several where unions lead there. */
export const schemasAt = (ast: SchemaAST.AST, path: ReadonlyArray<PropertyKey>): ReadonlyArray<SchemaAST.AST> =>
  path.reduce<ReadonlyArray<SchemaAST.AST>>((here, key) => here.flatMap((node) => childrenAt(node, key)), [ast])

const missingCodeOf = SchemaAST.resolveAt<string>("missingCode")

const codeOf = SchemaAST.resolveAt<string>("errorCode")

const childrenAt = (ast: SchemaAST.AST, key: PropertyKey): ReadonlyArray<SchemaAST.AST> => {
  switch (ast._tag) {
    case "Objects": {
      const property = ast.propertySignatures.find((signature) => signature.name === key)
      return property === undefined ? ast.indexSignatures.map((index) => index.type) : [property.type]
    }
    case "Arrays": {
      const element = ast.elements[Number(key)]
      return element === undefined ? ast.rest.slice(0, 1) : [element]
    }
    case "Union":
      return ast.types.flatMap((member) => childrenAt(member, key))
    case "Suspend":
      return childrenAt(ast.thunk(), key)
    default:
      return []
  }
}

/** The position of the walk through an issue; `expected` is the text of an outer filter. */
interface IssuePosition {
  readonly path: ReadonlyArray<PropertyKey>
  readonly expected: string | undefined
  readonly input: unknown
}

const first = (all: ReadonlyArray<Violation>): Violation =>
  all.find((violation) => violation.kind !== "unknown") ?? (all[0] as Violation)

const violationsIn = (issue: SchemaIssue.Issue, place: IssuePosition): ReadonlyArray<Violation> => {
  switch (issue._tag) {
    case "Pointer":
      return violationsIn(issue.issue, {
        path: [...place.path, ...issue.path],
        expected: place.expected,
        input: issue.path.reduce(memberOf, place.input)
      })
    case "Encoding":
      return violationsIn(issue.issue, place)
    case "Filter":
      return violationsIn(issue.issue, { ...place, expected: place.expected ?? expectedByFilter(issue) })
    case "Composite":
      return issue.issues.flatMap((inner) => violationsIn(inner, place))
    case "AnyOf":
      return [ofUnion(issue, place)]
    case "MissingKey":
      return [{ path: place.path, kind: "missing", expected: "Expected a value", suggestion: "" }]
    case "UnexpectedKey":
      return [{ path: place.path, kind: "unknown", expected: "Expected no such field", suggestion: "" }]
    case "InvalidType":
      return [
        wrong(
          place,
          `${place.expected ?? `Expected ${describeExpected(issue.ast)}`}${otherType(place.input, issue.ast)}`,
          choicesOf(issue.ast)
        )
      ]
    default:
      return [wrong(place, place.expected ?? SchemaIssue.defaultLeafHook(issue), [])]
  }
}

const isRecord = (value: unknown): value is Readonly<Record<PropertyKey, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Returns the own member of an object or list; undefined where there is none. */
export const memberOf = (value: unknown, key: PropertyKey): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Readonly<Record<PropertyKey, unknown>>)[key]
    : undefined

const expectedByFilter = (issue: SchemaIssue.Filter): string | undefined => {
  const own = issue.filter.annotations?.expected
  const words = SchemaIssue.defaultCheckHook(issue) ?? (typeof own === "string" ? `Expected ${own}` : undefined)
  return words !== undefined && showsPattern(words) ? "Expected text of another form" : words
}

// Of a union's members the one that matched deepest is the most specific; null and absence are not.
const ofUnion = (issue: SchemaIssue.AnyOf, place: IssuePosition): Violation => {
  const members = issue.issues.filter((inner) => !isNothing(inner)).map((inner) => first(violationsIn(inner, place)))
  if (members.length === 0) return unionItself(issue, place)
  if (members.length === 1) return members[0] as Violation
  const deepest = members.reduce((best, one) => (one.path.length > best.path.length ? one : best))
  return deepest.path.length > place.path.length ? deepest : unionItself(issue, place)
}

const isNothing = (issue: SchemaIssue.Issue): boolean =>
  issue._tag === "InvalidType" && (issue.ast._tag === "Null" || issue.ast._tag === "Undefined")

// No member of a tagged union was tried: in an object the tag is wrong.
const unionItself = (issue: SchemaIssue.AnyOf, place: IssuePosition): Violation => {
  const tag = issue.issues.length === 0 && isRecord(place.input) ? discriminator(issue.ast) : undefined
  if (tag !== undefined) {
    const path = [...place.path, tag.name]
    const expected = tag.values.length > 1 ? `one of ${listed(tag.values.map(quoted))}` : tag.values.map(quoted).join()
    const input = memberOf(place.input, tag.name)
    const other = input === undefined || typeof input === "string" ? "" : `, got ${jsonTypeOf(input)}`
    return wrong({ path, input }, `Expected ${expected}${other}`, tag.values)
  }
  const expected = place.expected ?? `Expected ${describeExpected(issue.ast)}`
  return wrong(place, `${expected}${otherType(place.input, issue.ast)}`, choicesOf(issue.ast))
}

const quoted = (name: string): string => JSON.stringify(name)

const wrong = (
  { input, path }: Pick<IssuePosition, "input" | "path">,
  expected: string,
  choices: ReadonlyArray<string>
): Violation => ({ path, kind: "wrong", expected, suggestion: suggest(input, choices) })

const discriminator = (
  ast: SchemaAST.AST
): { readonly name: PropertyKey; readonly values: ReadonlyArray<string> } | undefined => {
  if (ast._tag !== "Union") return undefined
  const members = ast.types.map((member) => SchemaAST.toEncoded(member)).filter((member) => member._tag !== "Null")
  const [first] = members
  if (first?._tag !== "Objects") return undefined
  for (const { name } of first.propertySignatures) {
    const values = members.map((member) => {
      const type = member._tag === "Objects" ? member.propertySignatures.find((p) => p.name === name)?.type : undefined
      return type?._tag === "Literal" && typeof type.literal === "string" ? type.literal : undefined
    })
    if (values.every((value) => value !== undefined)) return { name, values }
  }
  return undefined
}
