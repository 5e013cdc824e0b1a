import { extname } from "node:path"
import { type DocsPage, docsDocument, docsHeaders, docsLink, frontOf } from "@carteiro/guides/DocsDocument.ts"
import {
  counterpartOf,
  docsGroups,
  type GuideLanguage,
  groupsIn,
  languageOf,
  translatedGuides
} from "@carteiro/guides/DocsNav.ts"
import { type Guides, readChangelog, readGuides, readPictures, sectionSearch } from "@carteiro/guides/Guides.ts"
import { type BytesReply, htmlReply, type Reply, staticBody } from "@carteiro/http-edge/Reply.ts"
import { type RawRequest, Routes } from "@carteiro/http-edge/Routes.ts"
import { ApiCalls } from "@carteiro/openapi/Openapi.ts"
import { Effect, Layer } from "effect"
import { imageSize } from "image-size"
import { html } from "../kit/Html.ts"
import { foundPage, searchDocs } from "./DocsSearch.ts"
import { numberPlaceholder, requestsOf } from "./GuideCalls.ts"
import { renderGuide } from "./GuideMarkdown.ts"
import { ReaderValues } from "./ReaderValues.ts"
import { operationMarkdown, operationPage, referenceAddress, referenceIndex } from "./ReferencePages.ts"

/** The documentation: guides, reference, changelog and search, as pages and as Markdown. Nothing of it asks for a key. */
export const DocsHttp = Layer.unwrap(
  Effect.gen(function* () {
    const calls = yield* ApiCalls
    const reader = yield* ReaderValues
    // Read by the first reader: a node of callers alone does without a megabyte of text.
    const guides = yield* Effect.cached(Effect.sync(readGuides))
    const search = yield* Effect.cached(Effect.map(guides, sectionSearch))
    const pictures = yield* Effect.cached(Effect.sync(readPictures))
    const pages = yield* Effect.cached(
      Effect.zipWith(guides, pictures, (texts, drawn) => renderAll(texts, drawn, calls))
    )

    // Pages without values of a reader, and those of operations, compressed once.
    const unfilled = new Map<string, ReturnType<typeof staticBody>>()
    const operations = new Map<string, ReturnType<typeof staticBody>>()

    const guide = Effect.fnUntraced(function* (request: RawRequest, folder = "") {
      const asked = `${folder}${request.params.name ?? ""}`
      const name = asked.replace(/\.md$/, "")
      const text = name === "changelog" ? readChangelog() : (yield* guides).get(name)
      const page = (yield* pages).get(name)
      if (text === undefined || page === undefined) return nowhere
      if (asked !== name) return markdown(text)
      const values = yield* reader.of(request)
      if (values === undefined) {
        const serve = unfilled.get(name) ?? served(show(page))
        unfilled.set(name, serve)
        return serve(request)
      }
      const filled = docsDocument(page).replaceAll(numberPlaceholder, values.number ?? numberPlaceholder)
      return served(own(filled, values.keyPrefix))(request)
    })

    const operation = (request: RawRequest): Effect.Effect<Reply | BytesReply> =>
      Effect.sync(() => {
        const asked = request.params.operation ?? ""
        const id = asked.replace(/\.md$/, "")
        const call = calls.all().find(({ operationId }) => operationId === id)
        if (call === undefined) return nowhere
        if (asked !== id) return markdown(operationMarkdown(call, calls.components()))
        const { described } = call
        const serve =
          operations.get(id) ??
          served(
            show({
              title: described.summary ?? id,
              body: operationPage(call, calls.components()),
              address: referenceAddress,
              markdown: `${referenceAddress}/${id}.md`
            })
          )
        operations.set(id, serve)
        return serve(request)
      })

    const picture = (request: RawRequest) =>
      Effect.map(pictures, (drawn) => {
        const body = drawn.get(request.params.name ?? "")
        const type = pictureTypes[extname(request.params.name ?? "")] ?? "image/png"
        return body === undefined ? nowhere : { status: 200, body, headers: { ...docsHeaders, "content-type": type } }
      })

    const get = (name: string, path: string, handler: (request: RawRequest) => Effect.Effect<Reply | BytesReply>) =>
      Routes.raw({ operation: `docs.${name}`, method: "GET", path, handler })

    return Layer.mergeAll(
      get("index", "/docs", () => Effect.sync(() => front("en"))),
      get("portuguese", "/docs/pt", () => Effect.sync(() => front("pt"))),
      get("search", "/docs/search", (request) =>
        Effect.map(search, (sections) => {
          const query = new URLSearchParams(request.search)
          const typed = (query.get("q") ?? "").trim().slice(0, 200)
          const language = query.get("lang") === "pt" ? "pt" : "en"
          const hits = searchDocs(sections, calls, typed, language)
          return show({
            title: language === "pt" ? "Busca" : "Search",
            language,
            body: foundPage(typed, hits, language)
          })
        })
      ),
      get("reference", referenceAddress, () =>
        Effect.sync(() => show({ title: "API reference", body: referenceIndex(calls), address: referenceAddress }))
      ),
      get("operation", `${referenceAddress}/:operation`, operation),
      Routes.raw({ operation: "docs.picture", method: "GET", path: "/docs/images/:name", handler: picture }),
      get("page", "/docs/:name", (request) => guide(request)),
      get("translation", "/docs/pt/:name", (request) => guide(request, "pt/")),
      get("llms", "/llms.txt", () => Effect.map(guides, (texts) => text(llms(texts), "text/plain")))
    )
  })
).pipe(Layer.provide(ReaderValues.layer))

const pictureTypes: Readonly<Record<string, string>> = { ".svg": "image/svg+xml", ".webp": "image/webp" }

const renderAll = (
  guides: Guides,
  pictures: ReadonlyMap<string, Uint8Array>,
  calls: ApiCalls["Service"]
): ReadonlyMap<string, DocsPage> => {
  const context = {
    names: new Set([...guides.keys(), "changelog"]),
    // The style of a drawing stands in the stylesheet of the page, as the policy allows none inside it.
    drawings: new Map(
      [...pictures]
        .filter(([name]) => name.endsWith(".svg"))
        .map(([name, body]) => [
          name,
          Buffer.from(body)
            .toString("utf8")
            .replace(/<style>.*?<\/style>/s, "")
        ])
    ),
    sizeOf: (name: string) => {
      const body = pictures.get(name)
      return body === undefined ? undefined : imageSize(body)
    },
    samplesOf: (block: string) => {
      const made = requestsOf(block).flatMap((request) => calls.sample(request)?.samples ?? [])
      return ["curl", "SDK", "CLI"].flatMap((label) => {
        const own = made.filter((sample) => sample.label === label)
        return own.length === 0 ? [] : [{ ...own[0], label, lang: "", source: joined(own.map(({ source }) => source)) }]
      })
    }
  }
  const page = (name: string, text: string): readonly [string, DocsPage] => [
    name,
    {
      title: /^# (.*)$/m.exec(text)?.[1] ?? name,
      body: renderGuide(text, { ...context, isTranslated: name.startsWith("pt/") }),
      address: `/docs/${name}`,
      language: languageOf(name),
      ...counterpart(counterpartOf(name)),
      markdown: `/docs/${name}.md`
    }
  ]
  return new Map([...[...guides].map(([name, text]) => page(name, text)), page("changelog", readChangelog())])
}

/** Returns several calls as one program: what they all begin with stands once. */
const joined = (sources: ReadonlyArray<string>): string => {
  const head = 'import { Carteiro } from "@carteiro/sdk"\n\nconst carteiro = new Carteiro()\n'
  const bodies = sources.map((source) => source.replace(head, ""))
  const isProgram = sources[0]?.startsWith(head) === true
  const numbered =
    bodies.length === 1 ? bodies : bodies.map((body, at) => body.replace("const answer", `const answer${at + 1}`))
  return `${isProgram ? `${head}\n` : ""}${numbered.join(isProgram ? "\n" : "\n\n")}`
}

const counterpart = (name: string | undefined) => (name === undefined ? {} : { counterpart: `/docs/${name}` })

const front = (language: GuideLanguage): Reply =>
  show({
    title: language === "pt" ? "Documentação" : "Documentation",
    language,
    address: frontOf(language),
    counterpart: frontOf(language === "pt" ? "en" : "pt"),
    body: html`${
      language === "pt"
        ? html`<h1>Documentação</h1>
<p>O Carteiro é uma API JSON sobre HTTPS para mensagens, pagamentos e números. Os <a href="/docs/pt/quickstart">primeiros passos</a> vão de uma pasta vazia a um bot que marca horários. As páginas que integradores leem primeiro estão em português; as outras, em inglês.</p>`
        : html`<h1>Documentation</h1>
<p>Carteiro is an HTTPS JSON API for messages, payments and numbers. The <a href="/docs/quickstart">quickstart</a> leads from an empty folder to a bot that takes bookings.</p>`
    }
<div class="topics">${groupsIn(language).map(
      ({ about, pages, title }) =>
        html`<section class="card"><h2>${title}</h2><p>${about}</p><ul>${pages.map(
          (one) => html`<li>${docsLink(one, language)}</li>`
        )}</ul></section>`
    )}</div>`
  })

const llms = (guides: Guides): string =>
  [
    "# Carteiro",
    "> An HTTPS JSON API for messages, payments and phone numbers. Every page of the documentation is also Markdown.",
    ...docsGroups.map(({ pages, title }) =>
      [
        `## ${title}`,
        ...pages.flatMap(([address, name]) => {
          const guide = address.slice("/docs/".length)
          return guides.has(guide) || guide === "changelog"
            ? [`- [${name}](${address}.md)`]
            : [`- [${name}](${address})`]
        })
      ].join("\n")
    ),
    ["## Em português", ...[...translatedGuides].map(([name, title]) => `- [${title}](/docs/pt/${name}.md)`)].join(
      "\n"
    ),
    "## Machines\n- [OpenAPI description](/openapi.json)\n- [Capabilities](/.well-known/svc.json)"
  ]
    .join("\n\n")
    .concat("\n")

const text = (body: string, type: string): Reply => ({
  status: 200,
  body,
  headers: { ...docsHeaders, "content-type": `${type}; charset=utf-8` }
})

const markdown = (body: string): Reply => text(body, "text/markdown")

const send = (status: number, document: string): Reply => htmlReply(status, document, docsHeaders)

const served = ({ body, headers = {} }: Reply) => staticBody(body, headers)

const show = (page: DocsPage): Reply => send(200, docsDocument(page))

/** A page with values of its reader is stored by no cache. */
const own = (document: string, keyPrefix: string | undefined): Reply =>
  htmlReply(
    200,
    keyPrefix === undefined
      ? document
      : document.replace(
          '<article class="docs">',
          html`<article class="docs"><p class="muted">Calls name the number of your sandbox. Your key begins with <code>${keyPrefix}…</code>; put it into <code>CARTEIRO_API_KEY</code>.</p>`
            .markup
        ),
    { ...docsHeaders, "cache-control": "no-store" }
  )

const nowhere: Reply = send(
  404,
  docsDocument({
    title: "Not found",
    body: html`<h1>Not found</h1><p>No page of the documentation has this address. <a href="/docs">All pages</a></p>`
  })
)
