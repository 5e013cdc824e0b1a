import type { ApiCall, ApiCalls, DescribedParameter } from "@carteiro/openapi/Openapi.ts"
import { type Html, html, type Piece } from "../kit/Html.ts"
import { tabs } from "./GuideMarkdown.ts"
import { followed, isEmpty, memberLines, memberList, type Schema, shapeOf, typeOf, words } from "./Members.ts"

type Calls = ApiCalls["Service"]
type Components = ReturnType<Calls["components"]>

export const referenceAddress = "/docs/reference"

/** Returns the list of all operations by their groups. */
export const referenceIndex = ({ all, tags }: Calls): Html => {
  const calls = all()
  return html`<h1>API reference</h1>
<p>Every operation with its parameters, answers and calls to copy. The whole description is at <a href="/openapi.json">/openapi.json</a>, as a collection at <a href="/postman.json">/postman.json</a>, and with a client to try it in the <a href="/docs/explorer">API explorer</a>.</p>
${tags().map(({ description, name }) => {
  const own = calls.filter(({ described }) => described.tags.includes(name))
  return (
    own.length > 0 &&
    html`<h2 id="${idOf(name)}">${name}</h2>${description && html`<p>${description}</p>`}
<ul class="operations">${own.map(
      ({ described, method, operationId, path }) =>
        html`<li><a href="${referenceAddress}/${operationId}">${described.summary ?? operationId}</a> <code>${method} ${path}</code></li>`
    )}</ul>`
  )
})}`
}

const idOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]+/g, "-")

/** Returns the page of one operation. */
export const operationPage = (call: ApiCall, components: Components): Html => {
  const { described, method, path, samples, scopes } = call
  return html`<h1>${described.summary ?? call.operationId}</h1>
<p class="route"><code>${method} ${path}</code></p>
${sentences(described.description)}
<p>${
    described.security?.length === 0
      ? "It takes no key."
      : scopes.length === 0
        ? "Any key may call it."
        : html`The key needs ${scopes.map((scope) => html`<code>${scope}</code> `)}`
  }</p>
<h2 id="call">Call it</h2>
${tabs("call", samples)}
${parameterTable(described.parameters ?? [], components)}
${Object.entries(described.requestBody?.content ?? {}).map(
  ([type, { schema }]) => html`<h2 id="body">Body</h2><p>As <code>${type}</code>.</p>
${bodyOf(schema as Schema, components)}`
)}
<h2 id="answers">Answers</h2>
${Object.entries(described.responses).map(([status, response]) => answer(status, response, components))}`
}

const sentences = (text: string | undefined): Piece => text?.split("\n\n").map((part) => html`<p>${words(part)}</p>`)

const parameterTable = (parameters: ReadonlyArray<DescribedParameter>, components: Components): Piece =>
  parameters.length > 0 &&
  html`<h2 id="parameters">Parameters</h2>${rows(
    "Parameters",
    ["Name", "In", "Type", "Meaning"],
    parameters.map((one) => [
      html`<code>${one.name}</code>${one.required === true && " required"}`,
      one.in,
      typeOf(one.schema ?? {}, components),
      one.description
    ])
  )}`

const answer = (status: string, response: Schema, components: Components): Piece => {
  const whole = followed(response, components)
  const content = (whole.content ?? {}) as Readonly<Record<string, { readonly schema?: Schema }>>
  const { schema } = content["application/json"] ?? {}
  return html`<h3 id="answer-${status}">${status === "default" ? "Any other" : status}</h3>${described(String(whole.description ?? ""))}
${Number(status) < 400 && schema !== undefined && bodyOf(schema, components)}`
}

/** Returns what an answer means: a sentence, or a list of codes, each with its page. */
const described = (text: string): Piece => {
  const codes = [...text.matchAll(/^- `(\w+)`: (.*)$/gm)]
  return codes.length === 0
    ? sentences(text)
    : html`<ul>${codes.map(
        ([, code, meaning]) => html`<li><a href="/docs/errors/${code}"><code>${code}</code></a> ${meaning}</li>`
      )}</ul>`
}

const bodyOf = (schema: Schema, components: Components): Html => {
  const shape = shapeOf(schema, components)
  return isEmpty(shape) ? html`<p>${typeOf(schema, components)}</p>` : memberList(shape)
}

const rows = (
  name: string,
  heads: ReadonlyArray<string>,
  cells: ReadonlyArray<ReadonlyArray<Piece>>
): Html => html`<div class="scroll" tabindex="0" role="group" aria-label="${name}"><table>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${cells.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`

/** Returns the page of one operation as Markdown. */
export const operationMarkdown = (
  { described, method, operationId, path, samples, scopes }: ApiCall,
  components: Components
): string =>
  [
    `# ${described.summary ?? operationId}`,
    `\`${method} ${path}\``,
    described.description ?? "",
    scopes.length === 0 ? "" : `Scopes: ${scopes.map((scope) => `\`${scope}\``).join(", ")}`,
    ...(described.parameters ?? []).map((one) => `- \`${one.name}\` (${one.in}): ${one.description ?? ""}`),
    ...Object.values(described.requestBody?.content ?? {}).map(({ schema }) =>
      ["## Body", "", ...memberLines(shapeOf(schema as Schema, components))].join("\n")
    ),
    ...samples.map(({ label, lang, source }) => `## ${label}\n\n\`\`\`${lang.toLowerCase()}\n${source}\n\`\`\``)
  ]
    .filter((part) => part !== "")
    .join("\n\n")
    .concat("\n")
