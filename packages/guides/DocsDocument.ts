import { type Html, html, type Piece } from "@carteiro/html/Html.ts"
import { icon } from "@carteiro/html/Icon.ts"
import { docsGroups } from "./DocsNav.ts"

/** One page of the documentation. */
export interface DocsPage {
  readonly title: string
  readonly body: Piece
  /** The language of the body where it is not English, as HTML names it. */
  readonly language?: string
  /** Its address, which the menu marks. */
  readonly address?: string
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

/** Returns the whole document of a page, in the dress of the console and without scripts. */
export const docsDocument = ({ address, body, language, markdown, title }: DocsPage): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title} · Carteiro docs</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="/dashboard/style.css"><link rel="stylesheet" href="/dashboard/docs.css">
<link rel="icon" href="${icon}">
${markdown && html`<link rel="alternate" type="text/markdown" href="${markdown}">`}
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
<div class="bar">
<a class="brand" href="/docs"><span class="stamp" aria-hidden="true"></span>Carteiro docs</a>
<button class="menu-button" type="button" popovertarget="menu">Menu</button>
<form class="finder" method="get" action="/docs/search" role="search" aria-label="Search the docs">
<label class="hidden" for="find">Search the docs</label><input id="find" name="q" type="text" maxlength="200" placeholder="Search the docs" autocomplete="off" spellcheck="false"><button class="quiet">Search</button></form>
<div class="who"><a href="/dashboard">Dashboard</a></div>
</div>
</header>
<div class="frame">
${menu(address)}
<main id="main" tabindex="-1"><article class="docs"${language && html` lang="${language}"`}>
${body}
${markdown && html`<p class="muted"><a href="${markdown}">This page as Markdown</a></p>`}
</article></main>
</div>
<footer><a href="/openapi.json">OpenAPI</a> <a href="/postman.json">Postman</a> <a href="/llms.txt">llms.txt</a></footer>
</body>
</html>
`.markup

const menu = (here: string | undefined): Html =>
  html`<nav id="menu" class="menu" aria-label="Documentation" popover>
<a href="/docs"${here === "/docs" && html` aria-current="page"`}>Overview</a>
${docsGroups.map(
  ({ pages, title }) =>
    html`<details open><summary class="menu-group">${title}</summary><ul>${pages.map(
      ([address, name]) =>
        html`<li><a href="${address}"${address === here && html` aria-current="page"`}>${name}</a></li>`
    )}</ul></details>`
)}
</nav>`
