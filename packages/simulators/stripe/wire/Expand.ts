import { invalid } from "./Refusal.ts"

/** The deepest path that a call may expand. */
const deepest = 4

/** Returns a copy of an answer in which the ids at these paths are replaced by their objects. */
export const expanded = (
  body: object,
  paths: ReadonlyArray<string>,
  objectOf: (id: string) => object | undefined
): object => {
  if (paths.length === 0) return body
  const copy = structuredClone(body)
  for (const path of paths) {
    const names = path.split(".")
    if (names.length > deepest) throw invalid("You cannot expand more than 4 levels of a property.", "expand")
    expand(copy as Record<string, unknown>, names, path, objectOf)
  }
  return copy
}

const expand = (
  parent: Record<string, unknown>,
  [name = "", ...rest]: ReadonlyArray<string>,
  path: string,
  objectOf: (id: string) => object | undefined
): void => {
  if (!Object.hasOwn(parent, name)) throw invalid(`This property cannot be expanded (${path}).`, "expand")
  const value = parent[name]
  if (Array.isArray(value)) {
    for (const one of value) expand(one, rest, path, objectOf)
    return
  }
  if (value === null) return
  const object = typeof value === "string" ? objectOf(value) : undefined
  if (typeof value === "string" && object === undefined) {
    throw invalid(`This property cannot be expanded (${path}).`, "expand")
  }
  const child = object === undefined ? value : structuredClone(object)
  parent[name] = child
  if (rest.length > 0) expand(child as Record<string, unknown>, rest, path, objectOf)
}
