import { staticBody } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { Effect, Layer } from "effect"
import { consoleScript } from "../kit/ConsoleScript.ts"
import { liveScript } from "../kit/LiveScript.ts"
import { keptForYears, scriptRoute } from "../kit/Scripts.ts"
import { styleTag, styleText } from "../kit/Style.ts"

const css = { "content-type": "text/css; charset=utf-8" }
const named = staticBody(styleText, { ...css, ...keptForYears })
const plain = staticBody(styleText, { ...css, "cache-control": "public, max-age=300" })

/** The scripts that pages share, and the stylesheet: kept for a year under the address pages name, else a few minutes. */
export const StyleHttp = Layer.mergeAll(
  Routes.raw({
    operation: "dashboard.style",
    method: "GET",
    path: "/dashboard/style.css",
    handler: (request) => Effect.succeed((request.search === `v=${styleTag}` ? named : plain)(request))
  }),
  scriptRoute("console.live_script", liveScript),
  scriptRoute("console.frame", consoleScript)
)
