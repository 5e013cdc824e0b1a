import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import type { HttpApi, HttpApiGroup } from "effect/http-api"
import { HttpApiScalar } from "effect/http-api"

/**
 * The human-readable reference as one page: script and description are inside it, so nothing is loaded from elsewhere.
 * Made on first use, since its script is three megabytes.
 */
export const referencePage = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): Effect.Effect<string> =>
  Effect.promise(async () => {
    const page = HttpApiScalar.layer(api, { path: "/docs", scalar: { withDefaultFonts: false, hideModels: true } })
    const { handler, dispose } = HttpRouter.toWebHandler(page, { disableLogger: true })
    const response = await handler(new Request("http://localhost/docs"))
    const html = await response.text()
    await dispose()
    return html
  })

/** What the page may load: what it holds, and this server. */
export const referencePolicy =
  "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval' blob:; style-src 'unsafe-inline'; " +
  "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src blob:; base-uri 'none'; " +
  "frame-ancestors 'none'"
