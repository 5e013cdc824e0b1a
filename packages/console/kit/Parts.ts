import { formatTimestamp, parseTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { type Html, html, type Piece } from "./Html.ts"
import { type Label, say, sentence } from "./Language.ts"
import { countOf, isNumberPiece } from "./Numbers.ts"

/** An instant, in milliseconds or as the contract writes it, for people: to the minute, in UTC, as every page says. */
export const instant = (at: Instant, nothing: Label = "never"): Html => time(at, 16, nothing)

/** An instant to the second, for what happens many times a minute. */
export const moment = (at: Instant, nothing: Label = "never"): Html => time(at, 19, nothing)

/** An instant to the second that the script leaves as it is, where how long ago would say nothing. */
export const exactMoment = (at: Instant): Html => html`<span class="exact">${moment(at)}</span>`

type Instant = number | string | null

const time = (at: Instant, end: number, nothing: Label): Html => {
  const millis = typeof at === "string" ? parseTimestamp(at) : (at ?? undefined)
  if (millis === undefined) return none(nothing)
  const iso = formatTimestamp(millis)
  return html`<time datetime="${iso}" title="${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC"><span>${iso.slice(0, 10)}</span> <span>${iso.slice(11, end)} UTC</span></time>`
}

/** Stands where there is nothing to say. */
export const none = (text: Label): Html => {
  const piece = html`<span class="muted">${say(text)}</span>`
  if (text === "none") nothings.add(piece)
  return piece
}

/** Pieces that say "none": a table leaves out a column that has nothing else. */
const nothings = new WeakSet<Piece & object>()

/** How long ago, in the largest whole unit; milliseconds. */
export const ago = (at: number, now: number): Html => {
  const seconds = Math.max(0, Math.floor((now - at) / 1000))
  const days = Math.floor(seconds / 86_400)
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor(seconds / 60)
  if (days > 0) return days === 1 ? html`1 day ago` : html`${days} days ago`
  if (hours > 0) return hours === 1 ? html`1 hour ago` : html`${hours} hours ago`
  if (minutes > 0) return minutes === 1 ? html`1 minute ago` : html`${minutes} minutes ago`
  return seconds === 1 ? html`1 second ago` : html`${seconds} seconds ago`
}

/** How good or bad a word is; colour never says it alone. */
export type Tone = "good" | "bad" | "warn" | "plain" | "info"

/** Text that a person wrote: it may be long, and without a space. */
export const personText = (text: Piece): Html => html`<span class="given">${text}</span>`

/**
 * A link to an address that a vendor or a tenant gave, and the address as plain text where following it is not safe: only
 * https is followed, and http on this machine, where simulators are.
 */
export const linkOut = (url: string, text: Piece = url): Html =>
  isFollowed(URL.parse(url)) ? html`<a href="${url}" rel="noreferrer" target="_blank">${text}</a>` : html`${url}`

const isFollowed = (url: URL | null): boolean =>
  url?.protocol === "https:" || (url?.protocol === "http:" && loopbackNames.has(url.hostname))

const loopbackNames: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"])

/** The one word that says where something stands. */
export const badge = (word: Label, tone: Tone): Html => html`<span class="badge ${tone}">${say(word)}</span>`

/** A message above a page's content; `alert` interrupts, `status` waits. */
export const notice = (tone: "good" | "bad" | "warn" | "info", content: Piece): Html =>
  html`<div class="notice ${tone}" role="${tone === "bad" ? "alert" : "status"}">${typeof content === "string" ? sentence(content) : content}</div>`

/** A table that can be shown without some of its columns. */
export type Table = Html & {
  /** Names of its columns; none where there is no row. */
  readonly columns: ReadonlyArray<Label>
  /** Returns the table without the columns at these places. */
  readonly without: (hidden: ReadonlySet<number>) => Html
}

/**
 * A table whose rows are a few lines each on a narrow screen, where a cell says its column; the roles keep it a table for
 * those who listen to it. The first cell names its row.
 */
export const table = (
  caption: Label,
  columns: ReadonlyArray<Label>,
  rows: ReadonlyArray<ReadonlyArray<Piece>>,
  nothing: Piece
): Table => {
  const without = (hidden: ReadonlySet<number>) => {
    const kept = <A>(cells: ReadonlyArray<A>) => cells.filter((_, index) => !hidden.has(index))
    return tableMarkup(caption, kept(columns), rows.map(kept), nothing)
  }
  return Object.assign(without(new Set()), { columns: rows.length === 0 ? [] : columns, without })
}

const tableMarkup = (
  caption: Label,
  columns: ReadonlyArray<Label>,
  rows: ReadonlyArray<ReadonlyArray<Piece>>,
  nothing: Piece
): Html => {
  if (rows.length === 0) return html`<div class="empty">${nothing}</div>`
  const cellsIn = (column: number) => rows.map((row) => row[column])
  const shown = columns.flatMap((name, index) =>
    index > 0 && cellsIn(index).every(isNothing) ? [] : [{ name, index }]
  )
  const figures = new Set(shown.flatMap(({ index }) => (index > 0 && areFigures(cellsIn(index)) ? [index] : [])))
  const [first, ...others] = shown
  const money = new Set([...figures].filter((index) => cellsIn(index).some(isMoney)))
  const aligned = (index: number) =>
    figures.has(index) && (money.has(index) ? html` class="number money"` : html` class="number"`)
  return html`<table role="table">
<caption class="hidden">${say(caption)}</caption>
<thead role="rowgroup"><tr role="row">${shown.map(({ index, name }) => html`<th scope="col" role="columnheader"${aligned(index)}>${say(name)}</th>`)}</tr></thead>
<tbody role="rowgroup">${rows.map(
    (
      cells
    ) => html`<tr role="row"><th scope="row" role="rowheader">${first && written(cells[first.index])}</th>${others.map(
      ({ index, name }) =>
        html`<td role="cell" data-label="${say(name)}"${aligned(index)}><div>${written(cells[index])}</div></td>`
    )}</tr>
`
  )}</tbody>
</table>`
}

const written = (cell: Piece): Piece => (typeof cell === "number" ? countOf(cell) : cell)

const isNothing = (cell: Piece): boolean => typeof cell === "object" && cell !== null && nothings.has(cell)

/** Money, counts and shares: their digits stand under each other, at the right. Phone numbers and ids are none. */
const areFigures = (cells: ReadonlyArray<Piece>): boolean => {
  const said = cells.filter((cell) => !isNothing(cell) && cell !== undefined)
  return (
    said.length > 0 &&
    said.every(
      (cell) => typeof cell === "number" || isNumberPiece(cell) || (typeof cell === "string" && isFigure(cell))
    )
  )
}

const isMoney = (cell: Piece): boolean => typeof cell === "string" && cell.includes("R$")

const isFigure = (text: string): boolean =>
  /^[+\u2212-]?(?:R\$\s?)?\d[\d.,]*\s?%?$/.test(text) && !/^\+?\d{8,}$/.test(text)

/** How far long work has come, as a bar; words beside it say it too. */
export const bar = ({
  most,
  name,
  value
}: {
  readonly most: number
  readonly name: Html
  readonly value: number
}): Html => html`<progress max="${Math.max(1, most)}" value="${value}" aria-label="${name}"></progress>`

/** Leads on through a long list and back to its start; nothing when all of it is shown. */
export const pager = (newest: string | undefined, older: string | undefined): Html | undefined =>
  newest === undefined && older === undefined
    ? undefined
    : html`<nav class="buttons pager" aria-label="Pages of this list">
${newest && html`<a class="button" href="${newest}">Newest</a>`}
${older && html`<a class="button" href="${older}">Older</a>`}</nav>`

/** Names and values of one thing. */
export const facts = (entries: ReadonlyArray<readonly [name: Label, value: Piece] | undefined>): Html =>
  html`<dl class="facts">${entries.map(
    (entry) => entry && html`<div><dt>${say(entry[0])}</dt><dd>${entry[1]}</dd></div>`
  )}</dl>`

/** The hidden field every posted form carries. */
export const csrfField = (csrf: string): Html => html`<input type="hidden" name="csrf" value="${csrf}">`

interface FieldOptions {
  readonly name: string
  /** Where another field of the page has the same name. */
  readonly id?: string
  readonly label: Label
  readonly hint?: Piece
  /** Why what was typed was not taken. */
  readonly error?: string | Html | undefined
}

interface InputOptions extends FieldOptions {
  readonly value?: string
  /** An example, as long as nothing was typed. */
  readonly placeholder?: string | undefined
  readonly type?: "text" | "date" | "datetime-local" | "email" | "password"
  readonly required?: boolean
  readonly maxLength?: number
  readonly autofocus?: boolean
  /** For codes and slugs: no capitals, spelling or filling in by the browser. */
  readonly plain?: boolean
}

/** A labelled control; its hint and error stand below it and are tied to it. One that was refused takes the focus. */
const labelled = (options: FieldOptions, control: (attributes: Html) => Html): Html => {
  const { name, id = name, label, hint, error } = options
  const described = [hint === undefined ? "" : `${id}-hint`, error === undefined ? "" : `${id}-error`]
  const by = described.filter((id) => id !== "").join(" ")
  return html`<div class="field">
<label for="${id}">${say(label)}</label>
${control(
  html`id="${id}" name="${name}"${by !== "" && html` aria-describedby="${by}"`}${
    error !== undefined && html` aria-invalid="true" autofocus`
  }`
)}
${error && html`<p class="error" id="${id}-error">${sentence(error)}</p>`}
${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}
</div>`
}

/** A labelled input. */
export const input = (options: InputOptions): Html =>
  labelled(
    options,
    (attributes) =>
      html`<input ${attributes} type="${options.type ?? "text"}" value="${options.value ?? ""}"${
        options.placeholder && html` placeholder="${options.placeholder}"`
      }${
        options.required && html` required`
      }${options.maxLength !== undefined && html` maxlength="${options.maxLength}"`}${
        options.plain && html` autocomplete="off" autocapitalize="off" spellcheck="false"`
      }${options.autofocus && options.error === undefined && html` autofocus`}>`
  )

/** A labelled text of several lines, such as JSON. */
export const textarea = (options: FieldOptions & { readonly value: string }): Html =>
  labelled(
    options,
    (attributes) => html`<textarea ${attributes} rows="5" spellcheck="false">
${options.value}</textarea>`
  )

interface SelectOptions extends FieldOptions {
  /** A choice with a class lets the style sheet show what belongs to it. */
  readonly choices: ReadonlyArray<readonly [value: string, text: Label, className?: string | undefined]>
  readonly chosen: string | undefined
  readonly required?: boolean
}

/** A labelled choice of one. */
export const select = (options: SelectOptions): Html =>
  labelled(
    options,
    (attributes) =>
      html`<select ${attributes}${options.required && html` required`}>${options.choices.map(
        ([value, text, className]) =>
          html`<option value="${value}"${className && html` class="${className}"`}${value === options.chosen && html` selected`}>${say(text)}</option>`
      )}</select>`
  )

/** A box to tick, with its label. */
export const checkbox = (name: string, value: string, label: Piece, checked: boolean): Html =>
  html`<label class="tick"><input type="checkbox" name="${name}" value="${value}"${checked && html` checked`}> <span>${label}</span></label>`

/** A form that posts. */
export const form = (action: string, csrf: string, content: Piece): Html =>
  html`<form method="post" action="${action}">${csrfField(csrf)}${content}</form>`
