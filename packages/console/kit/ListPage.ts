import { PublicUrl } from "@carteiro/http-edge/PublicUrl.ts"
import type { BytesReply } from "@carteiro/http-edge/Reply.ts"
import { type CsvForm, csvFormNamed } from "@carteiro/lists/CsvText.ts"
import { ApiCalls } from "@carteiro/openapi/Openapi.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { Walked } from "@carteiro/tables/BoundedWalk.ts"
import { Effect, Layer } from "effect"
import type { EnvironmentEntry } from "../ports/Environments.ts"
import { chooseColumns } from "./Columns.ts"
import { chosenEnvironment } from "./Environments.ts"
import { type Filters, filterForm, type ListRequest, readFilters, type SearchOf } from "./Filters.ts"
import { queryParameter } from "./Forms.ts"
import { type Html, html, type Piece } from "./Html.ts"
import { type Label, type Saying, say } from "./Language.ts"
import type { Page } from "./Layout.ts"
import { callDetails, type EmptyList, emptyList, type ListStart, listCall, startButtons } from "./ListCalls.ts"
import { type FileColumns, listFile, mostFileRows } from "./ListFile.ts"
import { addressOf, cutWalk, pageRows } from "./Lists.ts"
import { live } from "./LiveScript.ts"
import type { Section } from "./Menu.ts"
import { countOf } from "./Numbers.ts"
import { type Outcome, page, type Visit } from "./Pages.ts"
import { pager, type Table } from "./Parts.ts"

/** The owner of a list: one environment, or the whole organization. */
export interface Owned {
  readonly id: string
}

/** One list of the console. Its page, file and call of the API all follow from this. */
interface ListDeclaration<Place extends Owned, Row, F extends Filters> {
  /** Of the page, without the room's name. */
  readonly operation: string
  readonly path: string
  readonly title: Saying
  readonly section: Section
  /** Stands above the list on a page that shows more than it. */
  readonly heading?: Label
  /** The operation of the API that answers this list; undefined where no key reads it. */
  readonly api?: string
  readonly filters: F
  readonly read: ListRead<Place, Row, F>
  readonly idOf: (row: Row) => string
  readonly table: (rows: ReadonlyArray<Row>, place: Place, nothing: Piece, visit: Visit) => Table
  readonly file: FileColumns<Row> | FileMaker<Place, F>
  /** Its first page follows the environment's events, or looks every few seconds. */
  readonly follows?: Page["follows"]
  readonly empty: (place: Place, visit: Visit) => EmptyList
  /** The way to a new row: above the list, and in place of an empty one. */
  readonly begin?: (place: Place, visit: Visit) => ListStart
  /** Returns the markup before and behind the list, and further properties of the page. */
  readonly around?: (
    place: Place | undefined,
    visit: Visit,
    rows: ReadonlyArray<Row>
  ) => Effect.Effect<Around, ApiError>
}

/** Reads rows newest first, before the row with an id; `count` is never more than 1,000. */
type ListRead<Place, Row, F extends Filters> = (
  place: Place,
  search: SearchOf<F>,
  before: string | undefined,
  count: number,
  visit: Visit
) => Effect.Effect<Walked<Row>, ApiError>

/** Makes the file of a list from a visit's search; a search that nothing can be found by leaves its columns. */
type FileMaker<Place, F extends Filters> = (
  name: string,
  form: CsvForm | undefined,
  wanted: { readonly place: Place; readonly search: SearchOf<F>; readonly visit: Visit } | undefined
) => Effect.Effect<BytesReply, ApiError>

interface Around {
  readonly before?: Piece
  readonly after?: Piece
  readonly page?: Partial<Page>
}

/** The outcome of a form whose answer is the page of a list. */
interface ListAnswer<Place> {
  /** Where the address does not say it. */
  readonly place?: Place | undefined
  readonly around?: Around
}

/** Returns the file of a list whose lines are read by themselves, since they show less of a row than the page. */
export const fileOfLines = <Place, F extends Filters, Line extends Owned>(
  columns: FileColumns<Line>,
  read: ListRead<Place, Line, F>
): FileMaker<Place, F> => fileMaker(columns, read, ({ id }) => id)

const fileMaker =
  <Place, F extends Filters, Row>(
    columns: FileColumns<Row>,
    read: ListRead<Place, Row, F>,
    idOf: (row: Row) => string
  ): FileMaker<Place, F> =>
  (name, form, wanted) =>
    listFile(
      name,
      columns,
      idOf,
      (before, count) =>
        wanted === undefined ? Effect.succeed(nothing) : read(wanted.place, wanted.search, before, count, wanted.visit),
      form
    )

/** Returns the page and the file of a list that is of one environment: the one of the address, else the remembered one. */
export const environmentList = <Row, F extends Filters>(declaration: ListDeclaration<EnvironmentEntry, Row, F>) =>
  makeList(
    declaration,
    (visit) => Effect.map(chosenEnvironment(visit), ({ environment }) => environment),
    "environment"
  )

/** Returns the page and the file of a list that is of the whole organization. */
export const organizationList = <Row, F extends Filters>(declaration: ListDeclaration<Owned, Row, F>) =>
  makeList(declaration, (visit) => Effect.succeed({ id: visit.organizationId }), "organization")

const makeList = Effect.fnUntraced(function* <Place extends Owned, Row, F extends Filters>(
  declaration: ListDeclaration<Place, Row, F>,
  placeOf: (visit: Visit) => Effect.Effect<Place | undefined, ApiError>,
  of: "environment" | "organization"
) {
  const { filters, idOf, operation, path, title } = declaration
  const publicUrl = yield* PublicUrl
  const calls = yield* ApiCalls
  const inPlace = (place: Place | undefined) => (of === "environment" ? { environment: place?.id } : {})

  const show = Effect.fnUntraced(function* (visit: Visit, answer: ListAnswer<Place> = {}) {
    const place = answer.place ?? (yield* placeOf(visit))
    const asking = readFilters(filters, visit)
    const isRefused = Object.keys(asking.errors).length > 0
    const before = beforeOf(visit)
    const walked: Walked<Row> =
      place === undefined || isRefused
        ? nothing
        : yield* declaration.read(place, asking.search, before, pageRows + 1, visit)
    const { next, shown } = cutWalk(walked, idOf)
    // A list that has no row at all has nothing to narrow, and one thing to do.
    const isUnused =
      place === undefined ||
      (shown.length === 0 && next === undefined && before === undefined && !isRefused && !isNarrowed(asking))
    const start = place && declaration.begin?.(place, visit)
    const around = { ...(yield* declaration.around?.(place, visit, shown) ?? Effect.succeed({})), ...answer.around }
    const empty =
      place === undefined
        ? withoutProject
        : isUnused
          ? emptyOf(declaration.empty(place, visit), start)
          : html`Nothing here is like this. <a href="${addressOf(path, inPlace(place))}">Show all</a>`
    const columns = place && chooseColumns(visit.request, path, declaration.table(shown, place, empty, visit))
    const here = { ...inPlace(place), ...asking.typed, columns: columns?.asked }
    const kept = of === "environment" && place && html`<input type="hidden" name="environment" value="${place.id}">`
    const form = isUnused
      ? undefined
      : yield* filterForm(path, filters, asking, visit, kept, addressOf(path, inPlace(place)))
    const head = html`${!isUnused && start && startButtons(start)}${form}`
    const outcome: Outcome = {
      title,
      section: declaration.section,
      ...inPlace(place),
      ...(isRefused && { status: 400 }),
      ...(before === undefined && place !== undefined && { follows: declaration.follows }),
      headers: columns?.headers ?? {},
      ...around.page,
      body: html`${around.before}
${headed(html`<div class="list-head"${declaration.follows && html` id="list-head"${live}`}>${head}</div>
<div id="rows"${declaration.follows && live}>${columns === undefined ? html`<div class="empty">${empty}</div>` : columns.shown}
${pager(before && addressOf(path, here), next && addressOf(path, { ...here, before: next }))}</div>
${place !== undefined && tools(shown.length > 0 && addressOf(`${path}/export`, { ...inPlace(place), ...asking.typed }), asking, columns?.form({ ...inPlace(place), ...asking.typed }))}`)}
${around.after}`
    }
    return outcome
  })

  const headed = (list: Html): Html =>
    declaration.heading === undefined
      ? list
      : html`<section aria-labelledby="list"><h2 id="list">${say(declaration.heading)}</h2>
${list}</section>`

  const emptyOf = (empty: EmptyList, start: ListStart | undefined): Html =>
    emptyList(empty, start, empty.operation === undefined ? undefined : calls.find(empty.operation))

  const tools = (file: string | false, { search }: ListRequest<F>, columns: Html | undefined): Html | undefined => {
    const call = declaration.api === undefined ? undefined : calls.find(declaration.api)
    if (file === false && call === undefined && columns === undefined) return undefined
    return html`<div class="list-tools">${columns}
${
  file !== false &&
  html`<a href="${file}">Download as CSV</a>
<a href="${file}${file.includes("?") ? "&" : "?"}format=br">For Brazilian spreadsheets</a> <span class="muted">The newest ${countOf(mostFileRows)} at most.</span>`
}
${call && callDetails(listCall(publicUrl(), call, filters, search), call)}</div>`
  }

  const download = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
    const place = yield* placeOf(visit)
    const { errors, search } = readFilters(filters, visit)
    const wanted = place === undefined || Object.keys(errors).length > 0 ? undefined : { place, search, visit }
    const { file, read } = declaration
    const make = typeof file === "function" ? file : fileMaker(file, read, idOf)
    const name = title.toLowerCase().replaceAll(" ", "-")
    return { file: yield* make(name, csvFormNamed(queryParameter(visit.request, "format")), wanted) }
  })

  const routes = Layer.merge(
    page({ operation, path, handler: show }),
    page({ operation: `${operation}Export`, path: `${path}/export`, handler: download })
  )
  return { show, routes }
})

const nothing = { rows: [], walked_to: null }

const isNarrowed = ({ typed }: Pick<ListRequest<Filters>, "typed">): boolean => Object.keys(typed).length > 0

const id = /^[a-z]{2,5}_[0-9a-z]{26}$/

/** Returns the id of the last row of the page before; a text that is no id says nothing. */
const beforeOf = ({ request }: Visit): string | undefined => {
  const before = queryParameter(request, "before")
  return before !== undefined && id.test(before) ? before : undefined
}

const withoutProject = html`There is no project yet. <a href="/dashboard/projects">Create one</a>; it comes with a sandbox and a production environment.`
