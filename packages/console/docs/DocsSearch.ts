import type { GuideLanguage } from "@carteiro/guides/DocsNav.ts"
import type { SectionSearch } from "@carteiro/guides/Guides.ts"
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
/** Sections that stand above operations. */
const firstSections = 4
const excerptLength = 240

/**
 * Returns where words stand: what is named exactly first, a code, a status or an operation; then the best sections of
 * guides, operations, and the other sections.
 */
export const searchDocs = (
  search: SectionSearch,
  calls: ApiCalls["Service"],
  typed: string,
  language: GuideLanguage
): ReadonlyArray<SearchHit> => {
  if (typed === "") return []
  const words = typed.toLowerCase().split(/\s+/)
  const codes = /^[a-z_]{3,64}$/.test(typed) && guideOf(typed) !== undefined ? [typed] : []
  const operations = calls
    .all()
    .filter(({ described, operationId, path }) => {
      const text = `${operationId} ${path} ${described.summary ?? ""}`.toLowerCase()
      return words.every((word) => text.includes(word))
    })
    .map(({ described, method, operationId, path }) => ({
      id: operationId,
      address: `${referenceAddress}/${operationId}`,
      title: described.summary ?? operationId,
      excerpt: `${method} ${path}`
    }))
  const isNamed = ({ id, excerpt }: { readonly id: string; readonly excerpt: string }) =>
    id === typed || excerpt === typed || excerpt.endsWith(` ${typed}`)
  const sections = search(typed, mostSections, language).map(({ heading, page, text }) => ({
    address: `/docs/${page}#${slugOf(heading)}`,
    title: `${heading} (${page})`,
    excerpt: text
      .replace(/^#.*$/m, "")
      .replaceAll(/[`*|]|\]\([^)]*\)|\[/g, "")
      .trim()
      .slice(0, excerptLength)
  }))
  return [
    ...codes.map((code) => ({ address: `/docs/errors/${code}`, title: code, excerpt: "Error code" })),
    ...words.flatMap((word) => statusHit(calls, word)),
    ...operations.filter(isNamed),
    ...sections.slice(0, firstSections),
    ...operations.filter((one) => !isNamed(one)).slice(0, mostOperations),
    ...sections.slice(firstSections)
  ]
}

/** Returns the part of the list of errors with a status that a word names, where an operation answers it. */
const statusHit = (calls: ApiCalls["Service"], word: string): ReadonlyArray<SearchHit> =>
  /^[45]\d\d$/.test(word) && calls.all().some(({ described }) => word in described.responses)
    ? [
        {
          address: `/docs/errors#status-${word}`,
          title: `Errors with status ${word}`,
          excerpt: "Every code of this status, each with its causes and what to do."
        }
      ]
    : []

/** Returns the page of a search, whose field it repeats. */
export const foundPage = (
  typed: string,
  hits: ReadonlyArray<SearchHit>,
  language: GuideLanguage
): Html => html`<h1>${language === "pt" ? "Busca" : "Search"}</h1>
<form method="get" action="/docs/search" class="search" role="search" aria-label="${language === "pt" ? "Buscar de novo" : "Search again"}"><div class="field"><label for="q">${
  language === "pt" ? "Palavras, uma operação ou um código de erro" : "Words, an operation or an error code"
}</label><input id="q" name="q" type="text" value="${typed}" maxlength="200"></div>${
  language === "pt" && html`<input type="hidden" name="lang" value="pt">`
}<button>${language === "pt" ? "Buscar" : "Search"}</button></form>
${
  hits.length > 0
    ? html`<ul class="found">${hits.map(({ address, excerpt, title }) => html`<li><a href="${address}">${title}</a><p class="muted">${excerpt}</p></li>`)}</ul>`
    : typed !== "" &&
      html`<div class="empty">${language === "pt" ? "Nada tem essas palavras." : "Nothing has these words."}</div>`
}`
