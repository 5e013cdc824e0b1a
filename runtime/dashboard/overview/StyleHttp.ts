import { staticBody } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { Effect, Layer } from "effect"
import { consoleScript } from "../kit/ConsoleScript.ts"
import { liveScript } from "../kit/LiveScript.ts"
import { styleTag, styleText } from "../kit/Style.ts"

const css = { "content-type": "text/css; charset=utf-8" }
const forYears = { "cache-control": "public, max-age=31536000, immutable" }
const named = staticBody(styleText, { ...css, ...forYears })
const plain = staticBody(styleText, { ...css, "cache-control": "public, max-age=300" })
const javascript = { "content-type": "text/javascript; charset=utf-8", ...forYears }
const live = staticBody(liveScript.text, javascript)
const frame = staticBody(consoleScript.text, javascript)

/** The scripts that pages share, and the stylesheet: kept for a year under the address pages name, else a few minutes. */
export const StyleHttp = Layer.mergeAll(
  Routes.raw({
    operation: "dashboard.style",
    method: "GET",
    path: "/dashboard/style.css",
    handler: (request) => Effect.succeed((request.search === `v=${styleTag}` ? named : plain)(request))
  }),
  Routes.raw({
    operation: "console.live_script",
    method: "GET",
    path: liveScript.path,
    handler: (request) => Effect.succeed(live(request))
  }),
  Routes.raw({
    operation: "console.frame",
    method: "GET",
    path: consoleScript.path,
    handler: (request) => Effect.succeed(frame(request))
  })
)
