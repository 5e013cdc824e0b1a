import { Schema, SchemaAST } from "effect"

/** The contract's limits of lists in a place; undefined where no list is limited. */
interface Bounds {
  readonly members: ReadonlyMap<string, Bounds> | undefined
  /** The most items that the contract takes. */
  readonly most: number
  readonly items: Bounds | undefined
}

const unbounded: Bounds = { members: undefined, most: Number.POSITIVE_INFINITY, items: undefined }

/**
 * Returns a function that cuts lists longer than their contract allows down to one item too many, so that a decoder
 * checks no more than it needs to refuse them. Other values pass unchanged. It is built once a route.
 */
export const boundedLists = (schema: Schema.Top): ((input: unknown) => unknown) => {
  const bounds = boundsOf(SchemaAST.toEncoded(schema.ast), 0)
  return bounds === unbounded ? (input) => input : (input) => cut(input, bounds)
}

/** A list of a body that may hold hundreds of items. */
export interface LongList {
  readonly name: string
  /** The most items that the contract takes. */
  readonly most: number
  /** The schema of some of its items. */
  readonly items: Schema.Top
  /** The schema of the body with the limit of the list only. */
  readonly bound: Schema.Top
}

/** The number of items from which a list is decoded part by part. */
const leastLong = 256

/** Returns the body's first list of hundreds of objects, if any. */
export const longListOf = (schema: Schema.Top): LongList | undefined => {
  if (schema.ast._tag !== "Objects") return undefined
  for (const { name, type } of schema.ast.propertySignatures) {
    const lists = (type._tag === "Union" ? type.types : [type]).filter((one) => one._tag === "Arrays")
    const [list] = lists
    const item = list?.rest[0]
    const most = list === undefined ? 0 : mostItems(list.checks ?? [])
    if (lists.length !== 1 || item?._tag !== "Objects" || most < leastLong || most === Number.POSITIVE_INFINITY)
      continue
    return {
      name: String(name),
      most,
      items: Schema.Array(Schema.make<Schema.Top>(item)),
      bound: Schema.Struct({ [String(name)]: Schema.Array(Schema.Unknown).check(Schema.isMaxLength(most)) })
    }
  }
  return undefined
}

const cut = (value: unknown, bounds: Bounds): unknown => {
  if (typeof value !== "object" || value === null || bounds === unbounded) return value
  if (Array.isArray(value)) {
    const kept = value.length > bounds.most ? value.slice(0, bounds.most + 1) : value
    const { items } = bounds
    return items === undefined ? kept : replaced(kept, (item) => cut(item, items))
  }
  if (bounds.members === undefined) return value
  let whole = value as Readonly<Record<string, unknown>>
  for (const [name, member] of bounds.members) {
    if (!Object.hasOwn(whole, name)) continue
    const kept = cut(whole[name], member)
    if (kept !== whole[name]) whole = { ...whole, [name]: kept }
  }
  return whole
}

/** Returns the list with its items replaced, or the list itself if none changed. */
const replaced = (list: ReadonlyArray<unknown>, by: (item: unknown) => unknown): ReadonlyArray<unknown> => {
  let copy: Array<unknown> | undefined
  for (let at = 0; at < list.length; at++) {
    const item = by(list[at])
    if (item === list[at]) continue
    copy ??= [...list]
    copy[at] = item
  }
  return copy ?? list
}

/** The depth to which a recursive contract is followed; bodies nest no deeper. */
const deepest = 32

const boundsOf = (ast: SchemaAST.AST, depth: number): Bounds => {
  if (depth > deepest) return unbounded
  switch (ast._tag) {
    case "Objects": {
      // A map's keys are the caller's own; only a strict object's other members have limits.
      const members = ast.propertySignatures.flatMap(({ name, type }) => {
        const bounds = boundsOf(type, depth + 1)
        return bounds === unbounded ? [] : [[String(name), bounds] as const]
      })
      return members.length === 0 ? unbounded : { ...unbounded, members: new Map(members) }
    }
    case "Arrays": {
      const most = mostItems(ast.checks ?? [])
      const items = ast.elements.length > 0 || ast.rest[0] === undefined ? unbounded : boundsOf(ast.rest[0], depth + 1)
      if (most === Number.POSITIVE_INFINITY && items === unbounded) return unbounded
      return { members: undefined, most, items: items === unbounded ? undefined : items }
    }
    case "Union":
      return ofUnion(ast.types, depth)
    case "Suspend":
      return boundsOf(ast.thunk(), depth + 1)
    default:
      return unbounded
  }
}

/** A list has its own limit only if a single shape of the union takes it. */
const ofUnion = (types: ReadonlyArray<SchemaAST.AST>, depth: number): Bounds => {
  const holders = types.filter((type) => !isPlain(type))
  return holders.length === 1 ? boundsOf(holders[0] as SchemaAST.AST, depth) : unbounded
}

const isPlain = ({ _tag }: SchemaAST.AST): boolean =>
  _tag === "Null" || _tag === "Undefined" || _tag === "String" || _tag === "Literal" || _tag === "Number"

const mostItems = (checks: ReadonlyArray<SchemaAST.Check<never>>): number =>
  Math.min(Number.POSITIVE_INFINITY, ...checks.map((check) => mostOf(check)))

const mostOf = (check: SchemaAST.Check<never>): number => {
  if (check._tag === "FilterGroup") return mostItems(check.checks)
  const representation = check.annotations?.representation as
    | { readonly id: string; readonly payload?: { readonly maxLength?: unknown } }
    | undefined
  const most = representation?.id === "effect/schema/isMaxLength" ? representation.payload?.maxLength : undefined
  return typeof most === "number" ? most : Number.POSITIVE_INFINITY
}
