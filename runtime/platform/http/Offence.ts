import { SchemaAST, SchemaIssue } from "effect"

/** One place where an input breaks its contract. */
export interface Offence {
  /** Keys and indexes from the root; empty when the root itself is wrong. */
  readonly path: ReadonlyArray<PropertyKey>
  readonly kind: "wrong" | "missing" | "unknown"
  /** What the contract expects there, as `Expected …`; never holds the input. */
  readonly expected: string
}

/**
 * The offence to report of all that were found: the first contract field in the order of the contract, then unknown
 * fields. gaps-1 A "error.param syntax and which error is reported"
 */
export const firstOffence = (issue: SchemaIssue.Issue): Offence => {
  const all = offences(issue, [], undefined)
  return all.find((offence) => offence.kind !== "unknown") ?? (all[0] as Offence)
}

/** The refusal code of the annotated schema nearest to the end of `path`. */
export const errorCodeAt = (ast: SchemaAST.AST, path: ReadonlyArray<PropertyKey>): string | undefined => {
  let nearest = codeOf(ast)
  let here: ReadonlyArray<SchemaAST.AST> = [ast]
  for (const key of path) {
    here = here.flatMap((node) => childrenAt(node, key))
    for (const node of here) nearest = codeOf(node) ?? nearest
  }
  return nearest
}

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

const offences = (
  issue: SchemaIssue.Issue,
  path: ReadonlyArray<PropertyKey>,
  expected: string | undefined
): ReadonlyArray<Offence> => {
  switch (issue._tag) {
    case "Pointer":
      return offences(issue.issue, [...path, ...issue.path], expected)
    case "Encoding":
      return offences(issue.issue, path, expected)
    case "Filter":
      return offences(issue.issue, path, expected ?? expectedByFilter(issue))
    case "Composite":
      return issue.issues.flatMap((inner) => offences(inner, path, expected))
    case "AnyOf":
      return [ofUnion(issue, path, expected)]
    case "MissingKey":
      return [{ path, kind: "missing", expected: "Expected a value" }]
    case "UnexpectedKey":
      return [{ path, kind: "unknown", expected: "Expected no such field" }]
    default:
      return [{ path, kind: "wrong", expected: expected ?? SchemaIssue.defaultLeafHook(issue) }]
  }
}

const expectedByFilter = (issue: SchemaIssue.Filter): string | undefined => {
  const own = issue.filter.annotations?.expected
  return SchemaIssue.defaultCheckHook(issue) ?? (typeof own === "string" ? `Expected ${own}` : undefined)
}

// Of a union's members the one that matched deepest tells the most; null and absence tell nothing.
const ofUnion = (issue: SchemaIssue.AnyOf, path: ReadonlyArray<PropertyKey>, expected: string | undefined): Offence => {
  const members = issue.issues.filter((inner) => !isNothing(inner))
  if (members.length === 0) return unionItself(issue, path, expected)
  const firsts = members.map((inner) => {
    const all = offences(inner, path, expected)
    return all.find((offence) => offence.kind !== "unknown") ?? (all[0] as Offence)
  })
  if (firsts.length === 1) return firsts[0] as Offence
  const deepest = firsts.reduce((best, one) => (one.path.length > best.path.length ? one : best))
  return deepest.path.length > path.length ? deepest : unionItself(issue, path, expected)
}

const isNothing = (issue: SchemaIssue.Issue): boolean =>
  issue._tag === "InvalidType" && (issue.ast._tag === "Null" || issue.ast._tag === "Undefined")

// No member of a tagged union was even tried: the tag is what is wrong.
const unionItself = (
  issue: SchemaIssue.AnyOf,
  path: ReadonlyArray<PropertyKey>,
  expected: string | undefined
): Offence => {
  const tag = discriminator(issue.ast)
  if (tag !== undefined && issue.issues.length === 0) {
    return { path: [...path, tag.name], kind: "wrong", expected: `Expected ${tag.values.join(" or ")}` }
  }
  return { path, kind: "wrong", expected: expected ?? SchemaIssue.defaultLeafHook(asInvalidType(issue)) }
}

const asInvalidType = (issue: SchemaIssue.AnyOf) => new SchemaIssue.InvalidType(issue.ast)

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
      return type?._tag === "Literal" ? JSON.stringify(type.literal) : undefined
    })
    if (values.every((value) => value !== undefined)) return { name, values }
  }
  return undefined
}
