import { docsHeaders } from "@carteiro/guides/DocsDocument.ts"
import { PublicUrl } from "@carteiro/http-edge/PublicUrl.ts"
import { htmlReply, type Reply, staticBody } from "@carteiro/http-edge/Reply.ts"
import { Routes, type RouteTable } from "@carteiro/http-edge/Routes.ts"
import { Api } from "@carteiro/schema/Api.ts"
import { Effect, Layer } from "effect"
import { operationsOf } from "../description/ContractOperation.ts"
import { errorCatalog } from "./ErrorCatalog.ts"
import { errorIndex, errorMarkdown, errorPage, errorsPath, unknownErrorPage } from "./ErrorPages.ts"

const common = docsHeaders
const markdown = { ...common, "content-type": "text/markdown; charset=utf-8" }

/** Serves the page of each error code, as HTML and as Markdown, and their list. Nothing of it asks for a key. */
export const ErrorsHttp: Layer.Layer<never, never, RouteTable> = Layer.unwrap(
  Effect.gen(function* () {
    const publicUrl = yield* PublicUrl
    const catalog = yield* Effect.cached(Effect.sync(() => errorCatalog(operationsOf(Api))))
    const index = yield* Effect.cached(
      Effect.map(catalog, (entries) =>
        staticBody(errorIndex(entries), { ...common, "content-type": "text/html; charset=utf-8" })
      )
    )
    const page = (name: string): Effect.Effect<Reply> =>
      Effect.map(catalog, (entries) => {
        const code = name.replace(/\.md$/, "")
        const entry = entries.get(code)
        if (entry === undefined) return htmlReply(404, unknownErrorPage(), common)
        return name === code
          ? htmlReply(200, errorPage(entry, publicUrl()), common)
          : { status: 200, body: errorMarkdown(entry, publicUrl()), headers: markdown }
      })
    return Layer.mergeAll(
      Routes.raw({
        operation: "openapi.errors",
        method: "GET",
        path: errorsPath,
        handler: (request) => Effect.map(index, (answer) => answer(request))
      }),
      Routes.raw({
        operation: "openapi.error",
        method: "GET",
        path: `${errorsPath}/:code`,
        handler: ({ params }) => page(params.code ?? "")
      })
    )
  })
)
