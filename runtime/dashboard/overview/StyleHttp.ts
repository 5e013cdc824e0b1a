import { staticBody } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { Effect, Layer } from "effect"
import { liveScript } from "../kit/LiveScript.ts"
import { styleTag, styleText } from "../kit/Style.ts"

const css = { "content-type": "text/css; charset=utf-8" }
const forYears = { "cache-control": "public, max-age=31536000, immutable" }
const named = staticBody(styleText, { ...css, ...forYears })
const plain = staticBody(styleText, { ...css, "cache-control": "public, max-age=300" })
const live = staticBody(liveScript.text, { "content-type": "text/javascript; charset=utf-8", ...forYears })

/** The script that several pages share, and the stylesheet: kept for a year under the address pages name, else a few minutes. */
export const StyleHttp = Layer.merge(
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
  })
)
