import type { BatchPlan } from "@carteiro/schema/batches/BatchLookupsApi.ts"
import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { TemplateComponent } from "@carteiro/schema/templates/TemplateComponents.ts"
import { formatReais } from "@carteiro/spellings/Reais.ts"
import { errorAt, type Refused } from "../kit/Forms.ts"
import { type Html, html, type Piece } from "../kit/Html.ts"
import { type Label, say, sentence } from "../kit/Language.ts"
import { countOf } from "../kit/Numbers.ts"
import { checkbox, csrfField, facts, input, notice, personText, select, table } from "../kit/Parts.ts"
import { templateMessage } from "../kit/PhonePreview.ts"
import { phoneText } from "../kit/PhoneText.ts"
import { refusalText } from "../kit/RefusalTexts.ts"
import { zoneName } from "../kit/TimeZone.ts"
import type { BatchField, TypedBatch } from "./BatchForm.ts"
import { badRows, columnsSection, dialledTable, more, mostShown } from "./ListParts.ts"
import type { BadRecipient, ListColumns, ListedRecipient, ListReport } from "./RecipientList.ts"

type Choices = ReadonlyArray<readonly [value: string, text: Label, className?: string | undefined]>

interface BatchEditorOptions {
  readonly action: string
  readonly back: string
  readonly csrf: string
  readonly typed: TypedBatch
  readonly refused?: Refused<BatchField> | undefined
  readonly numbers: Choices
  readonly templates: Choices
  readonly audiences: Choices
  readonly where: Piece
  readonly zone: string
  /** The columns of the list, once it was read. */
  readonly columns?: ListColumns | undefined
  /** How the list was read. */
  readonly reading?: ListReport | undefined
  /** The variables of the chosen template. */
  readonly variables: ReadonlyArray<string>
  /** What would come of it, once somebody asked. */
  readonly report?: BatchReport | undefined
}

/** Returns the form of a batch beside what would come of it. */
export const batchEditor = (options: BatchEditorOptions): Html => {
  const { action, audiences, back, csrf, refused, report, typed, where } = options
  const isUnseen = refused?.field === "audience" && audiences.length === 0
  return html`<p>In ${where}.</p>
${refused && (refused.field === "form" || isUnseen) && notice("bad", refused.error)}
<form method="post" action="${action}" class="editor">${csrfField(csrf)}
<div>${fieldsOf(options)}</div>
<div>${report?.summary ?? html`<section class="card" aria-labelledby="ahead"><h2 id="ahead">Before it starts</h2><p>See who gets the message, who is held back and why, and what it costs. Nothing is sent by looking.</p></section>`}
${refused?.field === "leave_out" && notice("bad", refused.error)}
${report && (report.hasFaults || typed.leavesOut) && checkbox("leave_out", "yes", say("Leave out the rows that cannot be sent"), typed.leavesOut)}
<div class="buttons"><button name="intent" value="look"${report === undefined && html` class="primary"`}>See who gets it</button>
${report && html`<button name="intent" value="start" class="primary">Start the batch</button>`}
<a class="button" href="${back}">Go back</a></div>
${report?.details}</div>
</form>`
}

const fieldsOf = ({
  audiences,
  columns,
  numbers,
  reading,
  refused,
  templates,
  typed,
  variables,
  zone
}: BatchEditorOptions): Html => html`<div class="pair">${[
  select({
    name: "template",
    label: "Template",
    choices: templates,
    chosen: typed.template,
    error: errorAt(refused, "template"),
    hint: say("One that was approved."),
    required: true
  }),
  select({
    name: "sender",
    label: "Sender",
    choices: numbers,
    chosen: typed.sender,
    error: errorAt(refused, "sender"),
    required: true
  })
]}</div>
<div class="pair">${[
  input({
    name: "name",
    label: "Name (optional)",
    value: typed.name,
    error: errorAt(refused, "name"),
    maxLength: 255
  }),
  input({
    name: "starts",
    label: "Start (optional)",
    type: "datetime-local",
    value: typed.starts,
    error: errorAt(refused, "starts"),
    hint: html`Time zone: ${zoneName(zone)}. Empty starts it at once.`
  })
]}</div>
<div class="for-header-file">${input({
  name: "header_media",
  label: "File of the header",
  value: typed.header_media,
  error: errorAt(refused, "header_media"),
  hint: say("Id of a file of your media library, or an https address."),
  maxLength: 2048,
  plain: true
})}</div>
${
  audiences.length > 0 &&
  select({
    name: "audience",
    label: "Recipients",
    choices: [["", "the list below"], ...audiences],
    chosen: typed.audience,
    error: errorAt(refused, "audience"),
    hint: say("Contacts of an audience bring no values: its template must have no variables.")
  })
}
${columns && columnsSection(columns, variables, reading, typed.list.encoding)}
${listField(typed, refused, columns !== undefined)}`

const listField = (
  { list: { encoding, text } }: TypedBatch,
  refused: Refused<BatchField> | undefined,
  isRead: boolean
): Html => {
  const error = errorAt(refused, "list")
  return html`<div class="field"><div class="drop" hidden><label for="list-file">File of the list</label> <input id="list-file" type="file" accept=".csv,.tsv,.txt,text/csv,text/plain,text/tab-separated-values"> <input type="hidden" name="list_file" id="list-bytes" disabled><input type="hidden" name="list_encoding" value="${encoding ?? ""}"><p class="hint">Drop it here, as CSV of any spreadsheet: separator and encoding are found.</p><span id="list-read" role="status"></span></div>
<label for="list">List of recipients (CSV)</label>
<textarea id="list" name="list" rows="${isRead ? 5 : 8}" spellcheck="false" autocomplete="off" aria-describedby="list-hint${error !== undefined && " list-error"}"${error !== undefined && html` aria-invalid="true" autofocus`}>
${text}</textarea>
${error !== undefined && html`<p class="error" id="list-error">${sentence(error)}</p>`}
<p class="hint" id="list-hint">The first row names the columns: <code>to</code> or <code>telefone</code> for the phone number, <code>1</code>, <code>2</code> or <code>first_name</code> for the variables, <code>metadata.order</code> for what comes back in webhooks. Other names get a place in the next step. 10,000 rows at most.</p></div>`
}

interface ReportOptions {
  readonly plan: BatchPlan
  readonly listed: ReadonlyArray<ListedRecipient>
  readonly bad: ReadonlyArray<BadRecipient>
  readonly kind: EnvironmentKind
  /** Of one message, in 1/10,000 BRL; undefined while no rate card has a price. */
  readonly price: number | undefined
  readonly components: ReadonlyArray<TemplateComponent>
}

/** The report on a batch before it starts, in two parts: the buttons and a refusal stand between them, in view without scrolling. */
export interface BatchReport {
  /** How many get it, how many do not, and what it costs. */
  readonly summary: Html
  /** The rows that cannot be sent, samples of the messages, and the numbers as they are dialled. */
  readonly details: Html
  /** Some rows cannot be sent. */
  readonly hasFaults: boolean
}

/** Returns what would come of a batch: who gets what, who does not and why, how long it takes, and what it costs. */
export const reportOf = ({ bad, components, kind, listed, plan, price }: ReportOptions): BatchReport => {
  const { faulty, held, judged_count, pacing, recipient_count, repeated } = plan
  const reached = recipient_count - held.length
  const hasFaults = faulty.length + bad.length > 0
  const summary = html`<section class="card" aria-labelledby="ahead"><h2 id="ahead">Before it starts</h2>
${facts([
  ["Get the message", html`<strong>${countOf(reached)}</strong>`],
  held.length === 0 ? undefined : ["Held back", countOf(held.length)],
  !hasFaults ? undefined : ["Rows that cannot be sent", countOf(faulty.length + bad.length)],
  repeated.length === 0 ? undefined : ["Rows of a customer named before", countOf(repeated.length)],
  pacing === null || pacing.deferred_recipient_count === 0
    ? undefined
    : [
        "Wait for the number's daily allowance",
        html`${countOf(pacing.deferred_recipient_count)}, over about ${pacing.estimated_windows} days`
      ],
  ["Costs", costOf(kind, reached, price)]
])}
${judged_count < recipient_count && html`<p class="hint">The first ${countOf(judged_count)} of ${countOf(recipient_count)} contacts were looked at.</p>`}</section>
${hasCurrencyTwice(components, listed) && notice("warn", "Some messages would say reais twice: the template has R$, and so has the value after it. Take it out of the template or of the list.")}`
  const details = html`${hasFaults && faultyTable(plan, listed, bad)}
${samplesOf(components, plan, listed)}
${dialledTable(listed)}
${held.length > 0 && heldTable(plan)}`
  return { summary, details, hasFaults }
}

/** Returns whether a value begins with the sign of reais where its template has the sign before it; lists of offices have both spellings. */
const hasCurrencyTwice = (
  components: ReadonlyArray<TemplateComponent>,
  listed: ReadonlyArray<ListedRecipient>
): boolean => {
  const text = components.find(({ type }) => type === "BODY")?.text ?? ""
  const keys = [...text.matchAll(/R\$\s*\{\{([^{}]*)\}\}/gu)].map(([, key = ""]) => key)
  return listed.some(({ recipient }) => keys.some((key) => /^\s*R\$/iu.test(recipient.variables?.[key] ?? "")))
}

/** Packages may lower it, and messages that no carrier accepts cost nothing. */
const costOf = (kind: EnvironmentKind, messages: number, price: number | undefined): Piece => {
  if (kind === "sandbox") return html`nothing: a sandbox is free`
  return price === undefined
    ? html`not known: no price is in effect`
    : html`at most <strong>${formatReais(messages * price)}</strong>, ${formatReais(price)} a message`
}

const faultyTable = (
  { faulty }: BatchPlan,
  listed: ReadonlyArray<ListedRecipient>,
  bad: ReadonlyArray<BadRecipient>
): Html =>
  html`<section class="card" aria-labelledby="faulty"><h2 id="faulty">Rows that cannot be sent</h2>
${table(
  "Rows that cannot be sent",
  ["Row", "To", "Why"],
  [
    ...badRows(bad),
    ...faulty.map(({ error, index }) => {
      const { row = 0, written = "" } = listed[index] ?? {}
      return { row, cells: [row, personText(html`${written}`), refusalText(error)] }
    })
  ]
    .toSorted((one, other) => one.row - other.row)
    .slice(0, mostShown)
    .map(({ cells }) => cells),
  undefined
)}${more(faulty.length + bad.length)}
<div class="buttons"><button name="intent" value="refused">Download these rows</button></div></section>`

const heldTable = ({ held }: BatchPlan): Html =>
  html`<section class="card" aria-labelledby="held"><h2 id="held">Held back</h2>
${table(
  "Held back",
  ["To", "Why"],
  held
    .slice(0, mostShown)
    .map(({ error, phone }) => [
      phoneText(phone),
      html`${refusalText(error)} <code>${error.guard_reason ?? error.code}</code>`
    ]),
  undefined
)}${more(held.length)}</section>`

/** Messages that the page shows as they will look. */
const shownSamples = 3

/** Shows the messages of the first recipients that get one, each with the values of its row. */
const samplesOf = (
  components: ReadonlyArray<TemplateComponent>,
  { faulty }: BatchPlan,
  listed: ReadonlyArray<ListedRecipient>
): Html => {
  const faults = new Set(faulty.map(({ index }) => index))
  const samples = listed.filter((_, index) => !faults.has(index)).slice(0, shownSamples)
  const lookOf = (body: Readonly<Record<string, string>>) => templateMessage(components, { header: {}, body })
  return html`<section class="card" aria-labelledby="sample"><h2 id="sample">What it looks like</h2>
<div class="screen samples">${
    samples.length === 0
      ? lookOf({})
      : samples.map(
          ({ recipient, row }) =>
            html`<div><p>Row ${row}, to ${phoneText(recipient.to ?? "")}</p>${lookOf(recipient.variables ?? {})}</div>`
        )
  }</div></section>`
}
