import { shellWord } from "@carteiro/html/ShellWord.ts"
import type { ApiCall } from "@carteiro/openapi/Openapi.ts"
import type { Filters } from "./Filters.ts"
import { type Html, html, type Piece } from "./Html.ts"
import { type Label, say } from "./Language.ts"

/** A line for a shell, which the script of the frame lets people copy. */
export const shellBlock = (source: string): Html => html`<pre tabindex="0"><code>${source}</code></pre>`

/** Returns the call of the API that answers a list with its filters; the key stays a variable. */
export const listCall = (
  base: string,
  { path }: ApiCall,
  filters: Filters,
  search: Readonly<Record<string, string | undefined>>
): string => {
  const asked = Object.entries(search).flatMap(([name, value]) => {
    const parameter = filters[name]?.api === undefined ? name : filters[name].api
    return value === undefined || parameter === null ? [] : [`--data-urlencode ${shellWord(`${parameter}=${value}`)}`]
  })
  const lines = [`curl -G ${shellWord(`${base}${path}`)}`, '-H "Authorization: Bearer $CARTEIRO_API_KEY"', ...asked]
  return lines.join(" \\\n  ")
}

/** The line below a list that shows its call. */
export const callDetails = (source: string, { scopes }: ApiCall): Html =>
  html`<details class="call"><summary>Copy as curl</summary>
<p>With a key of this environment${scopes.length > 0 && html` that has ${scopes.map((scope) => html`<code>${scope}</code>`)}`}.</p>
${shellBlock(source)}</details>`

/** Returns one call as curl, SDK and command line with the ids of its path, folded. */
export const callBlocks = (title: Label, { path, samples, scopes }: ApiCall, requestPath: string): Html => {
  const words = requestPath.split("/")
  const ids = path
    .split("/")
    .flatMap((segment, index) =>
      segment.startsWith("{") ? [[segment.slice(1, -1).toUpperCase(), words[index] ?? ""] as const] : []
    )
  const withIds = (source: string) => ids.reduce((text, [name, id]) => text.replaceAll(name, id), source)
  return html`<details class="call"><summary>${say(title)}</summary>
<p>With a key of this environment${scopes.length > 0 && html` that has ${scopes.map((scope) => html`<code>${scope}</code>`)}`}.</p>
${samples.map(({ label, source }) => html`<h3>${label}</h3>${shellBlock(withIds(source))}`)}</details>`
}

/** Stands for a list that has no rows yet: what it is for, and how the first one comes about. */
export interface EmptyList {
  readonly purpose: Piece
  /** The first step where no row is made here. */
  readonly button?: readonly [address: string, text: Label]
  /** The operation of the API that makes the first one. */
  readonly operation?: string
}

/** How a list gets its next row: a button, and others that stand beside it. */
export interface ListStart {
  readonly button?: readonly [address: string, text: Label] | undefined
  readonly beside?: Piece
}

/** Returns the buttons of a start in one line; nothing where there is none. */
export const startButtons = ({ beside, button }: ListStart): Html | undefined =>
  button || beside
    ? html`<div class="buttons">${button && html`<a class="button primary" href="${button[0]}">${say(button[1])}</a>`}
${beside}</div>`
    : undefined

export const emptyList = (
  { button, purpose }: EmptyList,
  start: ListStart | undefined,
  call: ApiCall | undefined
): Html => {
  const source = call?.samples.find(({ label }) => label === "curl")?.source
  return html`<div class="first-step"><p>${purpose}</p>
${startButtons({ button: start?.button ?? button, beside: start?.beside })}
${source !== undefined && html`<details class="call"><summary>With the API</summary>${shellBlock(source)}</details>`}</div>`
}
