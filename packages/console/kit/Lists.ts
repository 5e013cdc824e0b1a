import type { RawRequest } from "@carteiro/http-edge/Routes.ts"
import type { Walked } from "@carteiro/tables/BoundedWalk.ts"
import { queryParameter } from "./Forms.ts"
import { contractWord, type Label, type StatusThing, statusWord } from "./Language.ts"

/** Rows a page of a long list shows. */
export const pageRows = 25

/** The rows of a page out of one more than it shows; `last` is there when more follow. */
export const cutPage = <Row>(rows: ReadonlyArray<Row>): { readonly shown: ReadonlyArray<Row>; readonly last?: Row } => {
  const shown = rows.slice(0, pageRows)
  const last = rows.length > pageRows ? shown.at(-1) : undefined
  return last === undefined ? { shown } : { shown, last }
}

/** The position of a page as operations of people take it. */
export const positionOf = (before: string | undefined, count: number) => ({
  limit: String(count),
  ...(before !== undefined && { before })
})

/** The rows of a page out of a walk, and the id beyond which the next page begins; undefined on the last page. */
export const cutWalk = <Row>({ rows, walked_to }: Walked<Row>, idOf: (row: Row) => string) => {
  const { last, shown } = cutPage(rows)
  return { shown, next: last === undefined ? (walked_to ?? undefined) : idOf(last) }
}

/** A parameter of the address that is one of some words; any other is as if it were missing. */
export const askedWord = <A>(request: RawRequest, name: string, is: (value: unknown) => value is A): A | undefined => {
  const value = queryParameter(request, name)
  return is(value) ? value : undefined
}

/** Choices of a filter, the first of which does not narrow; words that are statuses are those of the thing. */
export const choicesOf = (
  words: ReadonlyArray<string>,
  thing?: StatusThing
): ReadonlyArray<readonly [value: string, text: Label]> => [
  ["", "All"],
  ...words.map((word) => [word, thing === undefined ? contractWord(word) : statusWord(thing, word)] as const)
]

/** An address with parameters; those that are undefined are left out. */
export const addressOf = (path: string, parameters: Readonly<Record<string, string | undefined>>): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, value)
  return query.size === 0 ? path : `${path}?${query}`
}

/** Returns one page out of rows that were all read, as reads of long lists return it. */
export const pageOf = <Row>(
  all: ReadonlyArray<Row>,
  idOf: (row: Row) => string,
  before: string | undefined,
  count: number
): Walked<Row> => {
  const from = before === undefined ? 0 : all.findIndex((row) => idOf(row) === before) + 1
  return { rows: all.slice(from, from + count), walked_to: null }
}
