import { type Html, html, type Piece } from "@carteiro/html/Html.ts"
import { icon } from "@carteiro/html/Icon.ts"
import { type GuideLanguage, groupsIn, languageOf, type MenuPage } from "./DocsNav.ts"

/** One page of the documentation. */
export interface DocsPage {
  readonly title: string
  readonly body: Piece
  /** The language of the body and of the frame; English unless it is said. */
  readonly language?: GuideLanguage
  /** Its address, which the menu marks. */
  readonly address?: string
  /** Where the page stands in the other language. */
  readonly counterpart?: string
  /** Where the page stands as Markdown. */
  readonly markdown?: string
}

/** Headers of every page: it loads stylesheets, pictures of this server, and nothing else. */
export const docsHeaders = {
  "cache-control": "public, max-age=300",
  "content-security-policy":
    "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY"
} as const

/** How HTML names the languages. */
const tags = { en: "en", pt: "pt-BR" } as const

/** The words of the frame. */
const words = {
  en: {
    docs: "Carteiro docs",
    skip: "Skip to the content",
    search: "Search the docs",
    button: "Search",
    dashboard: "Dashboard",
    navigation: "Documentation",
    overview: "Overview",
    markdown: "This page as Markdown",
    other: "Em português"
  },
  pt: {
    docs: "Documentação do Carteiro",
    skip: "Ir para o conteúdo",
    search: "Buscar na documentação",
    button: "Buscar",
    dashboard: "Painel",
    navigation: "Documentação",
    overview: "Visão geral",
    markdown: "Esta página em Markdown",
    other: "In English"
  }
} as const

/** Returns the whole document of a page, in the dress of the console and without scripts. */
export const docsDocument = ({ address, body, counterpart, language = "en", markdown, title }: DocsPage): string => {
  const said = words[language]
  const other = language === "en" ? "pt" : "en"
  return html`<!doctype html>
<html lang="${tags[language]}">
<head>
<meta charset="utf-8">
<title>${title} · ${said.docs}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="/dashboard/style.css"><link rel="stylesheet" href="/dashboard/docs.css">
<link rel="icon" href="${icon}">
${markdown && html`<link rel="alternate" type="text/markdown" href="${markdown}">`}
${counterpart && html`<link rel="alternate" hreflang="${tags[other]}" href="${counterpart}">`}
</head>
<body>
<a class="skip" href="#main">${said.skip}</a>
<header class="top">
<div class="bar">
<a class="brand" href="${frontOf(language)}"><span class="stamp" aria-hidden="true"></span><span>${said.docs}</span></a>
<button class="menu-button" type="button" popovertarget="menu">Menu</button>
<form class="finder" method="get" action="/docs/search" role="search" aria-label="${said.search}">
<label class="hidden" for="find">${said.search}</label><input id="find" name="q" type="text" maxlength="200" placeholder="${said.search}" autocomplete="off" spellcheck="false">${language === "pt" && html`<input type="hidden" name="lang" value="pt">`}<button class="quiet">${said.button}</button></form>
<div class="who">${counterpart && html`<a href="${counterpart}" hreflang="${tags[other]}" lang="${tags[other]}">${said.other}</a> `}<a href="/dashboard">${said.dashboard}</a></div>
</div>
</header>
<div class="frame">
${menu(address, language)}
<main id="main" tabindex="-1"><article class="docs">
${body}
${markdown && html`<p class="muted"><a href="${markdown}">${said.markdown}</a></p>`}
</article></main>
</div>
<footer><a href="/openapi.json">OpenAPI</a> <a href="/postman.json">Postman</a> <a href="/llms.txt">llms.txt</a></footer>
</body>
</html>
`.markup
}

/** Returns the address of the first page in a language. */
export const frontOf = (language: GuideLanguage): string => (language === "pt" ? "/docs/pt" : "/docs")

const menu = (here: string | undefined, language: GuideLanguage): Html => {
  const front = frontOf(language)
  return html`<nav id="menu" class="menu" aria-label="${words[language].navigation}" popover>
<a href="${front}"${here === front && html` aria-current="page"`}>${words[language].overview}</a>
${groupsIn(language).map(
  ({ pages, title }) =>
    html`<details open><summary class="menu-group">${title}</summary><ul>${pages.map(
      ([address, name]) => html`<li>${docsLink([address, name], language, address === here)}</li>`
    )}</ul></details>`
)}
</nav>`
}

/** Returns the link to a page of the menu, which says so where its title is in another language. */
export const docsLink = ([address, name]: MenuPage, language: GuideLanguage, isHere = false): Html => {
  const own = languageOf(address.replace("/docs/", ""))
  return html`<a href="${address}"${isHere && html` aria-current="page"`}${own !== language && html` lang="${tags[own]}"`}>${name}</a>`
}
