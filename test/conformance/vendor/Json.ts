/** An object of a JSON document. */
export type Node = Record<string, unknown>

/** Returns a value as an object; an empty one for anything else. */
export const node = (value: unknown): Node => (typeof value === "object" && value !== null ? (value as Node) : {})

/** Returns the object at a path of members. */
export const at = (root: Node, ...path: ReadonlyArray<string | number>): Node =>
  path.reduce<Node>((inner, name) => node(inner[name]), root)

/** Returns a value as a list. */
export const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])
