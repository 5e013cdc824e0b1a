import { type Schema, SchemaAST } from "effect"

/** The most names that are returned; a body may hold thousands of members. */
const mostTold = 20

/** The contract's knowledge of a place: an object's members, a list's items, or only its existence. */
interface Declared {
  readonly members: ReadonlyMap<string, Declared> | undefined
  readonly items: Declared | undefined
}

const leaf: Declared = { members: undefined, items: undefined }

/**
 * Returns a function that finds the members of a body that its contract ignores, as dot paths in the order sent, at
 * most twenty. It is built once a route.
 */
export const ignoredFieldsOf = (schema: Schema.Top): ((body: unknown) => ReadonlyArray<string>) => {
  const known = knownOf(SchemaAST.toEncoded(schema.ast))
  return (body) => {
    const found: Array<string> = []
    collect(body, known, "", found)
    return found
  }
}

/** The most characters of one name, and of the encoded header; one name always fits. */
const longestName = 100
const longestText = 1024

/**
 * Returns the names as one header value: percent-encoded, so that it has no control character or line break, and at
 * most 1,024 characters. Names that do not fit are left out.
 */
export const ignoredFieldsText = (names: ReadonlyArray<string>): string => {
  let text = ""
  for (const name of names) {
    const encoded = encodeURIComponent(name.slice(0, longestName).toWellFormed())
    const longer = text === "" ? encoded : `${text}, ${encoded}`
    if (longer.length > longestText) continue
    text = longer
  }
  return text
}

/**
 * The unknown members of one object that are checked: the first is reported, and a misspelt name is looked for among
 * them.
 */
const mostUnknown = 100

/**
 * Returns a function that leaves out unknown members beyond the first hundred of each object. It is built once a route.
 */
export const boundedUnknown = (schema: Schema.Top): ((body: unknown) => unknown) => {
  const known = knownOf(SchemaAST.toEncoded(schema.ast))
  return (body) => trim(body, known)
}

const trim = (value: unknown, known: Declared): unknown => {
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) {
    const { items } = known
    return items === undefined || items === leaf ? value : value.map((item) => trim(item, items))
  }
  const { members } = known
  if (members === undefined) return value
  let unknown = 0
  const kept = Object.entries(value).filter(([name]) => members.has(name) || ++unknown <= mostUnknown)
  return Object.fromEntries(kept.map(([name, member]) => [name, trim(member, members.get(name) ?? leaf)]))
}

const collect = (value: unknown, known: Declared, path: string, found: Array<string>): void => {
  if (typeof value !== "object" || value === null || found.length >= mostTold) return
  if (Array.isArray(value)) {
    if (known.items === undefined) return
    for (let at = 0; at < value.length && found.length < mostTold; at++) {
      collect(value[at], known.items, `${path}${at}.`, found)
    }
    return
  }
  if (known.members === undefined) return
  for (const [name, member] of Object.entries(value)) {
    const inner = known.members.get(name)
    if (inner !== undefined) collect(member, inner, `${path}${name}.`, found)
    else if (found.length < mostTold) found.push(path + name)
  }
}

const knownOf = (ast: SchemaAST.AST): Declared => {
  switch (ast._tag) {
    case "Objects":
      // A map's keys are the caller's own.
      return ast.indexSignatures.length > 0
        ? leaf
        : {
            members: new Map(ast.propertySignatures.map(({ name, type }) => [String(name), knownOf(type)])),
            items: undefined
          }
    case "Arrays":
      return { members: undefined, items: ast.rest[0] === undefined ? undefined : knownOf(ast.rest[0]) }
    case "Union":
      return ast.types.map(knownOf).reduce(merge, leaf)
    case "Suspend":
      return knownOf(ast.thunk())
    default:
      return leaf
  }
}

const merge = (a: Declared, b: Declared): Declared => ({
  members: mergeMembers(a.members, b.members),
  items: a.items === undefined || b.items === undefined ? (a.items ?? b.items) : merge(a.items, b.items)
})

const mergeMembers = (a: Declared["members"], b: Declared["members"]): Declared["members"] => {
  if (a === undefined || b === undefined) return a ?? b
  const merged = new Map(a)
  for (const [name, known] of b) {
    const other = merged.get(name)
    merged.set(name, other === undefined ? known : merge(other, known))
  }
  return merged
}
