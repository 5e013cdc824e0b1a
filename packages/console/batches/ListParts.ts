import { columnLetters } from "@carteiro/lists/Faults.ts"
import type { Encoding } from "@carteiro/lists/FileText.ts"
import { type Html, html, type Piece } from "../kit/Html.ts"
import { type Label, say } from "../kit/Language.ts"
import { countOf } from "../kit/Numbers.ts"
import { none, personText, select, table } from "../kit/Parts.ts"
import { countryOfPhone, phoneRefusalText } from "../kit/PhoneText.ts"
import { useValue } from "./ListForm.ts"
import type { BadRecipient, ListColumns, ListedRecipient, ListReport } from "./RecipientList.ts"

/** Rows of a table that a page shows. */
export const mostShown = 20

/** Returns how a list was read: its encoding, separator and rows. */
const readingOf = ({ hasNames, rows, separator }: ListReport, encoding: Encoding | undefined): Html =>
  html`<ul class="chips"><li>${countOf(rows)} rows</li>${encoding !== undefined && html`<li>${encoding === "windows-1252" ? say("Windows-1252, as Excel saves it") : encoding.toUpperCase()}</li>`}<li>${separatorOf(separator)}</li><li>${hasNames ? say("The first row names the columns") : say("No row of names")}</li></ul>`

const separatorOf = (separator: string): Html => {
  const name = separators[separator]
  return name === undefined ? html`Separator: <code>${separator}</code>` : say(name)
}

const separators: Readonly<Record<string, Label>> = {
  ";": "Separator: semicolon",
  ",": "Separator: comma",
  "\t": "Separator: tab",
  "|": "Separator: bar"
}

/** Returns the step in which a person says what each column is for, beside its first values. */
export const columnsSection = (
  { names, uses }: ListColumns,
  variables: ReadonlyArray<string>,
  report: ListReport | undefined,
  encoding: Encoding | undefined
): Html => html`<section class="card" aria-labelledby="columns"><h2 id="columns">Columns of the list</h2>
${report && readingOf(report, encoding)}
<p class="hint">What each column is for. A column that is for nothing is left out.</p>
<div class="mapping">${names.map((name, index) => {
  const own = name === "" ? columnLetters(index) : name
  const samples = report?.samples[index] ?? []
  return html`<input type="hidden" name="column_name" value="${name}">${select({
    name: `column_${index}`,
    label: html`Column ${columnLetters(index)}: ${own}`,
    ...(samples.length > 0 && { hint: html`<span class="given">${samples.join(" · ")}</span>` }),
    chosen: useValue(uses[index]),
    choices: [
      ["", say("Left out")],
      ["phone", say("Phone number")],
      ...variables.map((variable) => [`variable.${variable}`, html`Variable ${variable}`] as const),
      [`metadata.${metadataName(uses[index], own)}`, html`Metadata ${metadataName(uses[index], own)}`]
    ]
  })}`
})}</div></section>`

const metadataName = (use: ListColumns["uses"][number], own: string): string =>
  use?.kind === "metadata" ? use.name : own.replace(/^metadata\./, "")

const digitsIn = (text: string): string => text.replaceAll(/\D/g, "")

const isChanged = ({ recipient, written }: ListedRecipient): boolean =>
  digitsIn(recipient.to ?? "") !== digitsIn(written)

/** Shows the numbers as they will be dialled, those that the list writes otherwise first, with each digit that was added marked. */
export const dialledTable = (listed: ReadonlyArray<ListedRecipient>): Html | undefined => {
  const changed = listed.filter(isChanged)
  const shown = [...changed, ...listed.filter((one) => !isChanged(one))].slice(0, mostShown)
  return listed.length === 0
    ? undefined
    : html`<section class="card" aria-labelledby="dialled"><h2 id="dialled">Numbers as they will be dialled</h2>
${changed.length > 0 && html`<p class="hint">${countOf(changed.length)} of ${countOf(listed.length)} differ from the list: what was added is marked.</p>`}
${table(
  "Numbers as they will be dialled",
  ["Row", "Written", "Dialled", "Country"],
  shown.map(({ recipient, row, written }) => [
    row,
    personText(html`${written}`),
    html`<code>${markedDigits(written, recipient.to ?? "")}</code>`,
    countryOfPhone(recipient.to ?? "") ?? none("unknown")
  ]),
  undefined
)}${more(listed.length)}</section>`
}

/** Returns a number with the signs marked that its spelling in the list lacks; both are compared from their ends. */
const markedDigits = (written: string, dialled: string): ReadonlyArray<Piece> => {
  // Spaces, dots and dashes between digits do not change a number.
  const signs = [...written].filter((sign) => /[\d+]/.test(sign))
  const runs: Array<{ readonly isAdded: boolean; text: string }> = []
  for (const sign of [...dialled].toReversed()) {
    const isAdded = signs.at(-1) !== sign
    if (!isAdded) signs.pop()
    const run = runs.at(0)
    if (run?.isAdded === isAdded) run.text = sign + run.text
    else runs.unshift({ isAdded, text: sign })
  }
  return runs.map(({ isAdded, text }) => (isAdded ? html`<mark>${text}</mark>` : text))
}

/** Returns why a row has no number that can be sent to. */
export const badText = ({ refusal, written }: Pick<BadRecipient, "refusal" | "written">): Html =>
  written.trim() === "" ? html`This row has no phone number.` : phoneRefusalText(refusal)

/** Rows of the table of what cannot be sent. */
export const badRows = (bad: ReadonlyArray<BadRecipient>) =>
  bad.map((one) => ({ row: one.row, cells: [one.row, personText(html`${one.written}`), badText(one)] }))

/** Says how many rows a table leaves out. */
export const more = (count: number): Html | undefined =>
  count > mostShown ? html`<p class="hint">And ${countOf(count - mostShown)} more.</p>` : undefined
