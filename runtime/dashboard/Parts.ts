import { formatTimestamp, parseTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { type Html, html, type Piece } from "./Html.ts"

/** An instant, in milliseconds or as the contract writes it, for people; in UTC, as every page says. */
export const instant = (at: number | string | null, nothing = "never"): Html => {
  const millis = typeof at === "string" ? parseTimestamp(at) : (at ?? undefined)
  if (millis === undefined) return html`<span class="muted">${nothing}</span>`
  const iso = formatTimestamp(millis)
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC</time>`
}

/** How long ago, in the largest whole unit; milliseconds. */
export const ago = (at: number, now: number): string => {
  const seconds = Math.max(0, Math.floor((now - at) / 1000))
  const units = [
    ["day", 86_400],
    ["hour", 3600],
    ["minute", 60]
  ] as const
  const [unit, size] = units.find(([, size]) => seconds >= size) ?? ["second", 1]
  const count = Math.floor(seconds / size)
  return `${count} ${unit}${count === 1 ? "" : "s"} ago`
}

/** How good or bad a word is; colour never says it alone. */
export type Tone = "good" | "bad" | "warn" | "plain" | "info"

/** What somebody wrote: it may be long, and one word. */
export const given = (text: Piece): Html => html`<span class="given">${text}</span>`

export const badge = (text: string, tone: Tone): Html => html`<span class="badge ${tone}">${text}</span>`

/** A message above a page's content; `alert` interrupts, `status` waits. */
export const notice = (tone: "good" | "bad" | "warn" | "info", content: Piece): Html =>
  html`<div class="notice ${tone}" role="${tone === "bad" ? "alert" : "status"}">${content}</div>`

/** A table that turns into cards on a narrow screen; each cell says its column there. */
export const table = (
  caption: string,
  columns: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<Piece>>,
  nothing: string
): Html =>
  rows.length === 0
    ? html`<p class="empty">${nothing}</p>`
    : html`<table>
<caption class="hidden">${caption}</caption>
<thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>${rows.map(
        (cells) =>
          html`<tr>${cells.map((cell, index) => html`<td data-label="${columns[index]}"><div>${cell}</div></td>`)}</tr>
`
      )}</tbody>
</table>`

/** Names and values of one thing. */
export const facts = (entries: ReadonlyArray<readonly [name: string, value: Piece] | undefined>): Html =>
  html`<dl class="facts">${entries.map(
    (entry) => entry && html`<div><dt>${entry[0]}</dt><dd>${entry[1]}</dd></div>`
  )}</dl>`

/** The hidden field every posted form carries. gaps-1 C "Dashboard sessions and roles" */
export const csrfField = (csrf: string): Html => html`<input type="hidden" name="csrf" value="${csrf}">`

export interface InputOptions {
  readonly name: string
  readonly label: string
  readonly value?: string
  readonly hint?: string
  /** Why what was typed was not taken. */
  readonly error?: string | undefined
  readonly type?: "text" | "date"
  readonly required?: boolean
  readonly maxLength?: number
  readonly autofocus?: boolean
  /** For codes and slugs: no capitals, spelling or filling in by the browser. */
  readonly plain?: boolean
}

/** A labelled input with its hint and error tied to it. */
export const input = (options: InputOptions): Html => {
  const { name, error, hint } = options
  const described = [hint === undefined ? "" : `${name}-hint`, error === undefined ? "" : `${name}-error`]
  return html`<div class="field">
<label for="${name}">${options.label}</label>
${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${error && html`<p class="error" id="${name}-error">${error}</p>`}
<input id="${name}" name="${name}" type="${options.type ?? "text"}" value="${options.value ?? ""}"${
    options.required && html` required`
  }${options.maxLength !== undefined && html` maxlength="${options.maxLength}"`}${
    options.plain && html` autocomplete="off" autocapitalize="off" spellcheck="false"`
  }${options.autofocus && html` autofocus`}${error !== undefined && html` aria-invalid="true"`} aria-describedby="${described
    .join(" ")
    .trim()}">
</div>`
}

/** A labelled choice of one. */
export const select = (
  name: string,
  label: string,
  choices: ReadonlyArray<readonly [value: string, text: string]>,
  chosen: string | undefined
): Html => html`<div class="field">
<label for="${name}">${label}</label>
<select id="${name}" name="${name}">${choices.map(
  ([value, text]) => html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>`
)}</select>
</div>`

/** A box to tick, with its label. */
export const checkbox = (name: string, value: string, label: Piece, checked: boolean): Html =>
  html`<label class="tick"><input type="checkbox" name="${name}" value="${value}"${checked && html` checked`}> <span>${label}</span></label>`

/** A form that posts. */
export const form = (action: string, csrf: string, content: Piece): Html =>
  html`<form method="post" action="${action}">${csrfField(csrf)}${content}</form>`

/** Asks before something is done; going back changes nothing. */
export const confirmation = (options: {
  readonly action: string
  readonly csrf: string
  readonly explanation: Piece
  readonly button: string
  readonly back: string
  readonly dangerous: boolean
}): Html => html`<div class="card narrow">
${options.explanation}
<form method="post" action="${options.action}">${csrfField(options.csrf)}
<div class="buttons"><button class="${options.dangerous ? "danger" : "primary"}">${options.button}</button>
<a class="button" href="${options.back}">Go back</a></div>
</form>
</div>`
