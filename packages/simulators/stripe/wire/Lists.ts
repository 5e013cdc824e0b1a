import type { Fields } from "./Fields.ts"
import type { FormRecord } from "./Form.ts"
import { invalid } from "./Refusal.ts"

/** An object that lists hold. */
export interface Listed {
  readonly id: string
  /** Epoch seconds. */
  readonly created: number
}

/** The parameters that every list has. */
export const pageParameters = ["limit", "starting_after", "ending_before", "expand"] as const

const standardLimit = 10
const longestList = 100

/** Returns the page size of a call. */
export const limitOf = (fields: Fields): number => {
  const limit = fields.whole("limit") ?? standardLimit
  if (limit < 1) throw invalid("This value must be greater than or equal to 1.", "limit", "parameter_invalid_integer")
  if (limit > longestList) {
    throw invalid(`This value must be less than or equal to ${longestList}.`, "limit", "parameter_invalid_integer")
  }
  return limit
}

/** Returns one page of objects that are given oldest first: the newest first, as lists show them. */
export const pageOf = <Item extends Listed>(
  oldestFirst: ReadonlyArray<Item>,
  fields: Fields
): { readonly items: ReadonlyArray<Item>; readonly hasMore: boolean } => {
  const limit = limitOf(fields)
  const items = oldestFirst.toReversed()
  const after = fields.text("starting_after")
  const before = fields.text("ending_before")
  if (after !== null && before !== null) {
    throw invalid("You may only specify one of these parameters: starting_after, ending_before.")
  }
  if (before !== null) {
    const end = indexOf(items, before, "ending_before")
    return { items: items.slice(Math.max(0, end - limit), end), hasMore: end > limit }
  }
  const start = after === null ? 0 : indexOf(items, after, "starting_after") + 1
  return { items: items.slice(start, start + limit), hasMore: items.length > start + limit }
}

const indexOf = (items: ReadonlyArray<Listed>, id: string, param: string): number => {
  const at = items.findIndex((one) => one.id === id)
  if (at < 0) throw invalid(`No such object: '${id}'`, param, "resource_missing")
  return at
}

/** Returns a test of an object's age by the parameter `created`: an instant, or `gt`, `gte`, `lt` and `lte`. */
export const createdWithin = (fields: Fields): ((item: Listed) => boolean) => {
  const value = fields.all.created
  if (value === undefined || value === "") return () => true
  if (typeof value === "string") return ({ created }) => created === instant(value)
  const bounds = Object.entries(value as FormRecord).map(([name, bound]) => [name, instant(String(bound))] as const)
  return ({ created }) =>
    bounds.every(([name, bound]) => {
      switch (name) {
        case "gt":
          return created > bound
        case "gte":
          return created >= bound
        case "lt":
          return created < bound
        case "lte":
          return created <= bound
        default:
          throw invalid(`Received unknown parameter: created[${name}]`, `created[${name}]`, "parameter_unknown")
      }
    })
}

const instant = (text: string): number => {
  if (!/^\d{1,12}$/.test(text)) throw invalid(`Invalid integer: ${text}`, "created", "parameter_invalid_integer")
  return Number(text)
}
