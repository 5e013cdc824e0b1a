import type { ApiCall, ApiCalls, DescribedParameter } from "@carteiro/openapi/Openapi.ts"
import { type Html, html, type Piece } from "../kit/Html.ts"
import { tabs } from "./GuideMarkdown.ts"

type Schema = Readonly<Record<string, unknown>>
type Calls = ApiCalls["Service"]
type Components = Calls["components"]

export const referenceAddress = "/docs/reference"

/** Returns the list of all operations by their groups. */
export const referenceIndex = ({ all, tags }: Calls): Html => {
  const calls = all()
  return html`<h1>API reference</h1>
<p>Every operation with its parameters, answers and calls to copy. The whole description is at <a href="/openapi.json">/openapi.json</a>, as a collection at <a href="/postman.json">/postman.json</a>, and with a client to try it in the <a href="/docs/explorer">API explorer</a>.</p>
${tags.map(({ description, name }) => {
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
${parameterTable(described.parameters ?? [])}
${Object.entries(described.requestBody?.content ?? {}).map(
  ([type, { schema }]) => html`<h2 id="body">Body</h2><p>As <code>${type}</code>.</p>
${memberTable(schema as Schema, components)}`
)}
<h2 id="answers">Answers</h2>
${Object.entries(described.responses).map(([status, response]) => answer(status, response, components))}`
}

const sentences = (text: string | undefined): Piece =>
  text
    ?.split("\n\n")
    .map(
      (part) => html`<p>${part.split("`").map((piece, at) => (at % 2 === 1 ? html`<code>${piece}</code>` : piece))}</p>`
    )

const parameterTable = (parameters: ReadonlyArray<DescribedParameter>): Piece =>
  parameters.length > 0 &&
  html`<h2 id="parameters">Parameters</h2>${rows(
    "Parameters",
    ["Name", "In", "Type", "Meaning"],
    parameters.map((one) => [
      html`<code>${one.name}</code>${one.required === true && " required"}`,
      one.in,
      typeOf(one.schema ?? {}),
      one.description
    ])
  )}`

const answer = (status: string, response: Schema, components: Components): Piece => {
  const whole = followed(response, components)
  const content = (whole.content ?? {}) as Readonly<Record<string, { readonly schema?: Schema }>>
  const { schema } = content["application/json"] ?? {}
  return html`<h3 id="answer-${status}">${status === "default" ? "Any other" : status}</h3>${described(String(whole.description ?? ""))}
${Number(status) < 400 && schema !== undefined && memberTable(schema, components)}`
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

/** Returns a part of the description with its reference followed. */
const followed = (part: Schema | undefined, { responses = {}, schemas = {} }: Components): Schema => {
  const [name = "", kind] = typeof part?.$ref === "string" ? part.$ref.split("/").reverse() : []
  return name === "" ? (part ?? {}) : ((kind === "responses" ? responses : schemas)[name] ?? {})
}

const memberTable = (schema: Schema | undefined, components: Components): Piece => {
  const whole = followed(schema, components)
  const variants = (whole.oneOf ?? whole.anyOf) as ReadonlyArray<Schema> | undefined
  if (variants !== undefined) {
    return variants.map(
      (one, at) =>
        html`<p>Variant ${at + 1}${typeof one.title === "string" && html` (${one.title})`}</p>${memberTable(one, components)}`
    )
  }
  const properties = Object.entries((whole.properties ?? {}) as Readonly<Record<string, Schema>>)
  const required = (whole.required ?? []) as ReadonlyArray<string>
  return properties.length === 0
    ? html`<p>${typeOf(whole)}</p>`
    : rows(
        "Members",
        ["Name", "Type", "Meaning"],
        properties.map(([name, member]) => [
          html`<code>${name}</code>${required.includes(name) && " required"}`,
          typeOf(member),
          String(member.description ?? followed(member, components).description ?? "")
        ])
      )
}

const typeOf = (schema: Schema): string => {
  if (typeof schema.$ref === "string") return schema.$ref.split("/").at(-1) ?? ""
  const words = schema.enum as ReadonlyArray<unknown> | undefined
  if (words !== undefined) return words.map(String).join(", ")
  if (schema.type === "array") return `list of ${typeOf((schema.items ?? {}) as Schema)}`
  const type = Array.isArray(schema.type) ? schema.type.join(" or ") : String(schema.type ?? "any")
  return schema.format === undefined ? type : `${type} (${String(schema.format)})`
}

const rows = (
  name: string,
  heads: ReadonlyArray<string>,
  cells: ReadonlyArray<ReadonlyArray<Piece>>
): Html => html`<div class="scroll" tabindex="0" role="group" aria-label="${name}"><table>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${cells.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`

/** Returns the page of one operation as Markdown. */
export const operationMarkdown = ({ described, method, operationId, path, samples, scopes }: ApiCall): string =>
  [
    `# ${described.summary ?? operationId}`,
    `\`${method} ${path}\``,
    described.description ?? "",
    scopes.length === 0 ? "" : `Scopes: ${scopes.map((scope) => `\`${scope}\``).join(", ")}`,
    ...(described.parameters ?? []).map((one) => `- \`${one.name}\` (${one.in}): ${one.description ?? ""}`),
    ...samples.map(({ label, lang, source }) => `## ${label}\n\n\`\`\`${lang.toLowerCase()}\n${source}\n\`\`\``)
  ]
    .filter((part) => part !== "")
    .join("\n\n")
    .concat("\n")
