import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { HttpApi, HttpApiScalar, OpenApi } from "effect/http-api"
import type { Json } from "./description/Json.ts"

/**
 * The settings of the reference page: none of its maker's client, sharing, deployment and telemetry. The type of effect
 * covers only a part of what the script reads.
 */
const scalar = {
  withDefaultFonts: false,
  hideModels: true,
  hideClientButton: true,
  showDeveloperTools: "never",
  telemetry: false,
  documentDownloadType: "json",
  // No setting removes the link to the maker below the sidebar.
  customCss: 'a[href*="scalar.com"] { display: none !important; }'
} as const

/**
 * Returns the human-readable reference as one page: it contains script and description and loads nothing from
 * elsewhere. Made on first use, because its script is three megabytes.
 */
export const referencePage = (description: Json): Effect.Effect<string> =>
  Effect.promise(async () => {
    const api = HttpApi.make("reference").annotate(OpenApi.Transform, () => description)
    const page = HttpApiScalar.layer(api, { path: "/docs", scalar })
    const { handler, dispose } = HttpRouter.toWebHandler(page, { disableLogger: true })
    const response = await handler(new Request("http://localhost/docs"))
    const html = await response.text()
    await dispose()
    return html.replace("<head>", () => `<head>${memoryStorage}`)
  })

// In its sandbox the page has no storage, which its script does not expect: it gets one that ends with the page.
const memoryStorage = `<script>for (const name of ["localStorage", "sessionStorage"]) {
  const kept = new Map()
  Object.defineProperty(window, name, { value: {
    getItem: (key) => kept.get(String(key)) ?? null,
    setItem: (key, value) => void kept.set(String(key), String(value)),
    removeItem: (key) => void kept.delete(String(key)),
    clear: () => kept.clear(),
    key: (at) => [...kept.keys()][at] ?? null,
    get length() { return kept.size }
  } })
}</script>`

/**
 * The policy of the page: it may load only its own content and this server's. Its scripts are inline, so it runs in a
 * sandbox with an origin of its own: they reach no cookie and no page of the dashboard.
 */
export const referencePolicy =
  "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval' blob:; style-src 'unsafe-inline'; " +
  "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src blob:; base-uri 'none'; " +
  "frame-ancestors 'none'; sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox allow-downloads"
