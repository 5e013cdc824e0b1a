import { invalid } from "./Refusal.ts"

/** A value of a form with nested keys. */
export type FormValue = string | FormRecord | ReadonlyArray<FormValue>

/** The members of a form: `metadata[external_id]=1&expand[]=customer`. */
export interface FormRecord {
  readonly [name: string]: FormValue
}

type Building = string | Map<string, Building>

/** The deepest nesting of keys, and the most members. */
const deepest = 10
const most = 1000

/** Returns the members of an encoded form, or of a query. */
export const formOf = (encoded: string): FormRecord => {
  const root = new Map<string, Building>()
  const pairs = [...new URLSearchParams(encoded)]
  if (pairs.length > most) throw invalid("Too many parameters.")
  for (const [name, value] of pairs) place(root, pathOf(name), value)
  const built: Record<string, FormValue> = {}
  for (const [name, value] of root) Object.defineProperty(built, name, { value: finished(value), enumerable: true })
  return built
}

/** Returns the keys in a name such as `a[b][]`. */
const pathOf = (name: string): ReadonlyArray<string> => {
  const open = name.indexOf("[")
  if (open <= 0 || !name.endsWith("]")) return [name]
  const path = [name.slice(0, open), ...name.slice(open + 1, -1).split("][")]
  if (path.length > deepest) throw invalid(`Invalid parameter: ${name}`, name)
  return path
}

const place = (root: Map<string, Building>, path: ReadonlyArray<string>, value: string): void => {
  let parent = root
  for (const [at, key] of path.entries()) {
    const name = key === "" ? String(parent.size) : key
    if (at === path.length - 1) parent.set(name, value)
    else {
      const child = parent.get(name)
      const next = child instanceof Map ? child : new Map<string, Building>()
      parent.set(name, next)
      parent = next
    }
  }
}

const finished = (value: Building): FormValue => {
  if (typeof value === "string") return value
  const entries = [...value]
  if (entries.every(([name], at) => name === String(at))) return entries.map(([, one]) => finished(one))
  return Object.fromEntries(entries.map(([name, one]) => [name, finished(one)]))
}
