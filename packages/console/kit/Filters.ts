import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { readPhone, standardRegion } from "@carteiro/spellings/Phone.ts"
import { Effect } from "effect"
import { queryParameter } from "./Forms.ts"
import { type Html, html, type Piece } from "./Html.ts"
import { icon } from "./Icons.ts"
import type { Label, StatusThing } from "./Language.ts"
import { choicesOf } from "./Lists.ts"
import { countOf } from "./Numbers.ts"
import type { Visit } from "./Pages.ts"
import { input, select } from "./Parts.ts"
import { startOfDay } from "./TimeZone.ts"

/** One field that narrows a list; its name is that of the API's parameter unless it says another. */
export interface Filter<A extends string = string> {
  /** Name of the parameter of the API; null where the API has none. */
  readonly api?: string | null
  /** Stands folded behind the first fields. */
  readonly isMore?: boolean
  /** Returns what the list is narrowed by; undefined does not narrow. */
  readonly read: (typed: string, visit: Visit) => A | undefined
  /** Returns why nothing can be looked for by this. */
  readonly refuse?: (typed: string) => string | undefined
  /** Returns the choices, when they are only known at the time of the request. */
  readonly choices?: (visit: Visit) => Effect.Effect<Choices>
  readonly control: (field: FilterField) => Html
}

type Choices = ReadonlyArray<readonly [value: string, text: Label]>

interface FilterField {
  readonly name: string
  readonly value: string
  readonly error: string | undefined
  readonly choices: Choices
}

export type Filters = Readonly<Record<string, Filter>>

/** Values by the names of the filters, as reads take them. */
export type SearchOf<F extends Filters> = {
  readonly [Name in keyof F]: (F[Name] extends Filter<infer A> ? A : never) | undefined
}

interface FilterOptions {
  readonly api?: string | null
  readonly isMore?: boolean
}

interface WordOptions<A extends string> extends FilterOptions {
  readonly texts?: ReadonlyArray<readonly [value: A | "", text: Label]>
  /** The thing whose statuses the words are. */
  readonly thing?: StatusThing
}

/** One of some words; an unknown one does not narrow. */
export const wordFilter = <A extends string>(
  label: Label,
  words: ReadonlyArray<A>,
  { texts, thing, ...options }: WordOptions<A> = {}
): Filter<A> => ({
  ...options,
  read: (typed) => words.find((word) => word === typed),
  control: ({ name, value }) => select({ name, label, choices: texts ?? choicesOf(words, thing), chosen: value })
})

/** One of the contract's own names, which people read as the contract writes them, such as types of events. */
export const nameFilter = <A extends string>(
  label: Label,
  names: ReadonlyArray<A>,
  textOf: (name: A) => Html = (name) => html`${name}`,
  options: FilterOptions = {}
): Filter<A> =>
  wordFilter(label, names, { ...options, texts: [["", "All"], ...names.map((name) => [name, textOf(name)] as const)] })

/** Text as typed. */
export const textFilter = (label: Label, maxLength: number, options: FilterOptions = {}): Filter => ({
  ...options,
  read: (typed) => typed,
  control: ({ error, name, value }) => input({ error, name, value, label, maxLength, plain: true })
})

/** One of what the organization has; an id that is none of it finds nothing. */
export const choiceFilter = (
  label: Label,
  choices: (visit: Visit) => Effect.Effect<Choices>,
  options: FilterOptions = {}
): Filter => ({
  ...options,
  choices,
  read: (typed) => typed,
  control: ({ choices, name, value }) => select({ name, label, choices: [["", "All"], ...choices], chosen: value })
})

/** A phone number in whatever way people write it; what is no number in Brazil is looked for as it is written. */
export const phoneFilter = (label: Label): Filter => ({
  ...textFilter(label, 64),
  read: (typed) => readPhone(typed, standardRegion).phone ?? typed,
  refuse: (typed) => (typed.replace(/\D/g, "").length < 8 ? "That is no phone number." : undefined)
})

/** A day of the reader's time zone, as the instant at which it begins or at which the next one begins. */
export const dayFilter = (label: Label, edge: "begins" | "ends"): Filter => ({
  isMore: true,
  read: (typed, { zone }) => {
    const at = startOfDay(typed, zone, edge === "ends" ? 1 : 0)
    // Reads leave out the instant that they are given.
    return at === undefined ? undefined : formatTimestamp(edge === "ends" ? at : at - 1)
  },
  control: ({ error, name, value }) => input({ error, name, value, label, type: "date" })
})

/** The filters of one request for a list. */
export interface ListRequest<F extends Filters> {
  readonly search: SearchOf<F>
  /** As typed, of the filters that narrow. */
  readonly typed: Readonly<Record<string, string>>
  readonly errors: Readonly<Record<string, string>>
}

export const readFilters = <F extends Filters>(filters: F, visit: Visit): ListRequest<F> => {
  const search: Record<string, string | undefined> = {}
  const typed: Record<string, string> = {}
  const errors: Record<string, string> = {}
  for (const [name, filter] of Object.entries(filters)) {
    const text = queryParameter(visit.request, name)?.trim() ?? ""
    const value = text === "" ? undefined : filter.read(text, visit)
    if (value === undefined) continue
    search[name] = value
    typed[name] = text
    const error = filter.refuse?.(text)
    if (error !== undefined) errors[name] = error
  }
  return { search: search as SearchOf<F>, typed, errors }
}

/** Returns the form with the filters of a list, and the way to all of it where it is narrowed; the hidden fields go along. */
export const filterForm = Effect.fnUntraced(function* (
  path: string,
  filters: Filters,
  { errors, typed }: Pick<ListRequest<Filters>, "errors" | "typed">,
  visit: Visit,
  hiddenFields: Piece,
  all: string
) {
  const field = Effect.fnUntraced(function* ([name, { choices, control }]: readonly [string, Filter]) {
    const given = choices === undefined ? [] : yield* choices(visit)
    return control({ name, value: typed[name] ?? "", error: errors[name], choices: given })
  })
  const entries = Object.entries(filters)
  if (entries.length === 0) return undefined
  const first = yield* Effect.forEach(
    entries.filter(([, { isMore }]) => isMore !== true),
    field
  )
  const folded = entries.filter(([, { isMore }]) => isMore === true)
  const more = yield* Effect.forEach(folded, field)
  const isOpen = folded.some(([name]) => typed[name] !== undefined)
  const used = Object.keys(typed).length
  const isRefused = Object.keys(errors).length > 0
  return html`<form method="get" action="${path}" class="search" role="search" aria-label="Filters">
<label class="filter-toggle button"><input type="checkbox"${isRefused && html` checked`}>${icon("filters")} <span>Filters</span>${used > 0 && html` <span class="used">${countOf(used)}<span class="hidden"> in use</span></span>`}</label>
${hiddenFields}${first}<div class="buttons go"><button>Show</button>${used > 0 && html`<a class="button quiet" href="${all}">Show all</a>`}</div>
${more.length > 0 && html`<details class="more"${isOpen && html` open`}><summary>More filters</summary><div>${more}</div></details>`}
</form>`
})
