import { type Guides, searchSections } from "@carteiro/guides/Guides.ts"
import { type ApiCalls, guideOf } from "@carteiro/openapi/Openapi.ts"
import { type Html, html } from "../kit/Html.ts"
import { slugOf } from "./GuideMarkdown.ts"
import { referenceAddress } from "./ReferencePages.ts"

/** One place of the documentation in which the words stand. */
export interface SearchHit {
  readonly address: string
  readonly title: string
  readonly excerpt: string
}

const mostSections = 20
const mostOperations = 10
const excerptLength = 240

/** Returns where words stand: an error code first, then operations, then sections of guides. */
export const searchDocs = (guides: Guides, calls: ApiCalls["Service"], typed: string): ReadonlyArray<SearchHit> => {
  if (typed === "") return []
  const words = typed.toLowerCase().split(/\s+/)
  const codes = /^[a-z_]{3,64}$/.test(typed) && guideOf(typed) !== undefined ? [typed] : []
  const operations = calls.all().filter(({ described, operationId, path }) => {
    const text = `${operationId} ${path} ${described.summary ?? ""}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  return [
    ...codes.map((code) => ({ address: `/docs/errors/${code}`, title: code, excerpt: "Error code" })),
    ...operations.slice(0, mostOperations).map(({ described, method, operationId, path }) => ({
      address: `${referenceAddress}/${operationId}`,
      title: described.summary ?? operationId,
      excerpt: `${method} ${path}`
    })),
    ...searchSections(guides, typed, mostSections).map(({ heading, page, text }) => ({
      address: `/docs/${page}#${slugOf(heading)}`,
      title: `${heading} (${page})`,
      excerpt: text
        .replace(/^#.*$/m, "")
        .replaceAll(/[`*|]|\]\([^)]*\)|\[/g, "")
        .trim()
        .slice(0, excerptLength)
    }))
  ]
}

/** Returns the page of a search, whose field it repeats. */
export const foundPage = (typed: string, hits: ReadonlyArray<SearchHit>): Html => html`<h1>Search</h1>
<form method="get" action="/docs/search" class="search" role="search" aria-label="Search again"><div class="field"><label for="q">Words, an operation or an error code</label><input id="q" name="q" type="text" value="${typed}" maxlength="200"></div><button>Search</button></form>
${
  hits.length > 0
    ? html`<ul class="found">${hits.map(({ address, excerpt, title }) => html`<li><a href="${address}">${title}</a><p class="muted">${excerpt}</p></li>`)}</ul>`
    : typed !== "" && html`<div class="empty">Nothing has these words.</div>`
}`
