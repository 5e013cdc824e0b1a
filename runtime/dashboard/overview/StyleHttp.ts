import { staticBody } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { Effect } from "effect"
import { styleTag, styleText } from "../kit/Style.ts"

const css = { "content-type": "text/css; charset=utf-8" }
const named = staticBody(styleText, { ...css, "cache-control": "public, max-age=31536000, immutable" })
const plain = staticBody(styleText, { ...css, "cache-control": "public, max-age=300" })

/** The stylesheet; kept for a year under the address pages name, a few minutes under its plain one. */
export const StyleHttp = Routes.raw({
  operation: "dashboard.style",
  method: "GET",
  path: "/dashboard/style.css",
  handler: (request) => Effect.succeed((request.search === `v=${styleTag}` ? named : plain)(request))
})
