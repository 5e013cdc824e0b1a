import { Effect } from "effect"
import { Routes } from "../../platform/http/contract/Routes.ts"
import { styleTag, styleText } from "../kit/Style.ts"

/** The stylesheet; kept for a year under the address pages name, a few minutes under its plain one. */
export const StyleHttp = Routes.raw({
  operation: "dashboard.style",
  method: "GET",
  path: "/dashboard/style.css",
  handler: ({ headers, search }) => {
    const tagged = search === `v=${styleTag}`
    const etag = `"${styleTag}"`
    const unchanged = headers["if-none-match"] === etag
    return Effect.succeed({
      status: unchanged ? 304 : 200,
      body: unchanged ? "" : styleText,
      headers: {
        "content-type": "text/css; charset=utf-8",
        "cache-control": tagged ? "public, max-age=31536000, immutable" : "public, max-age=300",
        etag
      }
    })
  }
})
