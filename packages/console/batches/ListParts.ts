import { columnLetters } from "@carteiro/lists/Faults.ts"
import { formatCount } from "@carteiro/spellings/Reais.ts"
import { type Html, html } from "../kit/Html.ts"
import { say } from "../kit/Language.ts"
import { personText, select, table } from "../kit/Parts.ts"
import { phoneRefusalText } from "./ListFaults.ts"
import { useValue } from "./ListForm.ts"
import type { BadRecipient, ListColumns, ListedRecipient } from "./RecipientList.ts"

/** Rows of a table that a page shows. */
export const mostShown = 20

/** Returns the step in which a person says what each column is for. */
export const columnsSection = (
  { names, uses }: ListColumns,
  variables: ReadonlyArray<string>
): Html => html`<section class="card" aria-labelledby="columns"><h2 id="columns">Columns of the list</h2>
<p class="hint">What each column is for. A column that is for nothing is left out.</p>
${names.map((name, index) => {
  const own = name === "" ? columnLetters(index) : name
  return html`<input type="hidden" name="column_name" value="${name}">${select({
    name: `column_${index}`,
    label: html`Column ${columnLetters(index)}: ${own}`,
    chosen: useValue(uses[index]),
    choices: [
      ["", say("Left out")],
      ["phone", say("Phone number")],
      ...variables.map((variable) => [`variable.${variable}`, html`Variable ${variable}`] as const),
      [`metadata.${metadataName(uses[index], own)}`, html`Metadata ${metadataName(uses[index], own)}`]
    ]
  })}`
})}</section>`

const metadataName = (use: ListColumns["uses"][number], own: string): string =>
  use?.kind === "metadata" ? use.name : own.replace(/^metadata\./, "")

const digitsIn = (text: string): string => text.replaceAll(/\D/g, "")

/** Returns the recipients whose number has other digits than the list. */
export const changedNumbers = (listed: ReadonlyArray<ListedRecipient>): ReadonlyArray<ListedRecipient> =>
  listed.filter(({ recipient, written }) => digitsIn(recipient.to ?? "") !== digitsIn(written))

/** Shows what was made of the numbers of a list. */
export const changesTable = (changed: ReadonlyArray<ListedRecipient>): Html | undefined =>
  changed.length === 0
    ? undefined
    : html`<section class="card" aria-labelledby="changed"><h2 id="changed">Numbers read otherwise than written</h2>
${table(
  "Numbers read otherwise than written",
  ["Row", "Written", "Read as"],
  changed
    .slice(0, mostShown)
    .map(({ recipient, row, written }) => [row, personText(html`${written}`), html`<code>${recipient.to}</code>`]),
  undefined
)}${more(changed.length)}</section>`

/** Rows of the table of what cannot be sent. */
export const badRows = (bad: ReadonlyArray<BadRecipient>) =>
  bad.map(({ refusal, row, written }) => ({
    row,
    cells: [row, personText(html`${written}`), phoneRefusalText(refusal)]
  }))

/** Says how many rows a table leaves out. */
export const more = (count: number): Html | undefined =>
  count > mostShown ? html`<p class="hint">And ${formatCount(count - mostShown)} more.</p>` : undefined
