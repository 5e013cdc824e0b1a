import { docsDocument } from "@carteiro/guides/DocsDocument.ts"
import { type Html, html } from "@carteiro/html/Html.ts"
import { exampleOf } from "../description/Refusals.ts"
import type { ErrorEntry } from "./ErrorCatalog.ts"

/** Where the pages stand below the public URL. */
export const errorsPath = "/docs/errors"

/** One page of the documentation: a whole HTML document. */
const document = (title: string, body: Html, markdown?: string): string =>
  docsDocument({ title, body, address: errorsPath, ...(markdown !== undefined && { markdown }) })

/** Texts of guides mark names with backticks. */
const inline = (text: string) =>
  text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))

/** The sentence that says what a code means: of the refusal, or else of the failed message. */
const meaningOf = ({ failure, refusal }: ErrorEntry): string => refusal?.message ?? failure ?? ""

type Refusal = NonNullable<ErrorEntry["refusal"]>

/** Whether a repeat of the unchanged request can help; for codes that do not say it themselves, their status does. */
const adviceOf = ({ passes }: ErrorEntry, { retryable, status }: Refusal): string => {
  if (passes === true) return "The same request may succeed once the cause has passed; nothing in it has to change."
  return (retryable ?? (status === 429 || status >= 500))
    ? "The same request may succeed later."
    : "The same request is refused again until its cause is removed."
}

const exampleText = (entry: Refusal, docUrl: string): string => {
  const { value } = exampleOf(entry) as { readonly value: { readonly error: object } }
  return JSON.stringify({ error: { ...value.error, doc_url: docUrl } }, null, 2)
}

/** The page of one code. */
export const errorPage = (entry: ErrorEntry, publicUrl: string): string => {
  const { causes, code, failure, refusal, remedy, routes, statuses, types, where } = entry
  return document(
    code,
    html`<h1><code>${code}</code></h1>
<p class="meaning">${meaningOf(entry)}</p>
${
  refusal &&
  html`<dl><dt>Status</dt><dd>${statuses.join(", ")}</dd>
<dt>Type</dt><dd>${types.map((type) => html`<code>${type}</code> `)}</dd>
<dt>Repeating it</dt><dd>${adviceOf(entry, refusal)}</dd></dl>`
}
<h2>Causes</h2><p>${inline(causes)}</p>
<h2>What to do</h2><p>${inline(remedy)}</p>
${
  failure &&
  html`<h2>On a message</h2><p>A message that was accepted may fail with this code: it stands in its <code>error_code</code> and in
the event <code>message.failed</code>. ${failure}</p>`
}
${refusal && html`<h2>Example</h2><pre tabindex="0"><code>${exampleText(refusal, `${publicUrl}${errorsPath}/${code}`)}</code></pre>`}
${
  refusal &&
  html`<h2>Routes</h2>${
    where !== undefined
      ? html`<p>${inline(where)}</p>`
      : html`<ul>${routes.map((route) => html`<li><code>${route}</code></li>`)}</ul>`
  }`
}`,
    `${errorsPath}/${code}.md`
  )
}

/** The page of an error as Markdown, for programs that read. */
export const errorMarkdown = (entry: ErrorEntry, publicUrl: string): string => {
  const { causes, code, failure, refusal, remedy, routes, statuses, types, where } = entry
  const parts = [`# ${code}`, meaningOf(entry)]
  if (refusal !== undefined) {
    const named = types.map((type) => `\`${type}\``).join(", ")
    parts.push(`Status ${statuses.join(", ")}, type ${named}. ${adviceOf(entry, refusal)}`)
  }
  parts.push("## Causes", causes, "## What to do", remedy)
  if (failure !== undefined) {
    parts.push(
      "## On a message",
      `A message that was accepted may fail with this code: it stands in its \`error_code\` and in the event \`message.failed\`. ${failure}`
    )
  }
  if (refusal !== undefined) {
    const example = exampleText(refusal, `${publicUrl}${errorsPath}/${code}`)
    const answering = where ?? routes.map((one) => `- \`${one}\``).join("\n")
    parts.push("## Example", `\`\`\`json\n${example}\n\`\`\``, "## Routes", answering)
  }
  return `${parts.join("\n\n")}\n`
}

/** The list of all codes, by status. */
export const errorIndex = (catalog: ReadonlyMap<string, ErrorEntry>): string => {
  const entries = [...catalog.values()]
  const all = [...new Set(entries.flatMap(({ statuses }) => statuses))].sort((one, other) => one - other)
  const list = (shown: ReadonlyArray<ErrorEntry>) =>
    html`<ul class="codes">${shown.map(
      (entry) => html`<li><a href="${errorsPath}/${entry.code}"><code>${entry.code}</code></a> ${meaningOf(entry)}</li>`
    )}</ul>`
  return document(
    "Errors",
    html`<h1>Errors</h1>
<p>Every error answer names its <code>code</code> and, in <code>doc_url</code>, its page here. Decide by the code; messages are for people and may change.</p>
${all.map((status) => html`<h2 id="status-${status}">${status}</h2>${list(entries.filter(({ statuses }) => statuses.includes(status)))}`)}
<h2>Failed messages</h2><p>Codes that a message fails with after it was accepted.</p>
${list(entries.filter(({ refusal }) => refusal === undefined))}`
  )
}

/** The page for a code that is not known. */
export const unknownErrorPage = (): string =>
  document(
    "Unknown error code",
    html`<h1>Unknown error code</h1><p>No error code has this name. <a href="${errorsPath}">All codes</a> are listed by status.</p>`
  )
