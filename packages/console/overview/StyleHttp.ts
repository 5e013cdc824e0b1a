import { staticBody } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { Effect, Layer } from "effect"
import { consoleScript } from "../kit/ConsoleScript.ts"
import { liveScript } from "../kit/LiveScript.ts"
import { keptForYears, scriptRoute } from "../kit/Scripts.ts"
import { type Asset, aloneStyle, docsStyle, font, icons, style, talkStyle } from "../kit/Style.ts"

/** The route of a file that pages load: kept for a year under the address pages name, else a few minutes. */
const assetRoute = (operation: string, { bytes, contentType, path, tag }: Asset) => {
  const type = { "content-type": contentType }
  const named = staticBody(bytes, { ...type, ...keptForYears })
  const plain = staticBody(bytes, { ...type, "cache-control": "public, max-age=300" })
  return Routes.raw({
    operation,
    method: "GET",
    path,
    handler: (request) => Effect.succeed((request.search === `v=${tag}` ? named : plain)(request))
  })
}

/** The scripts that pages share, the stylesheets, their font and the icons. */
export const StyleHttp = Layer.mergeAll(
  assetRoute("dashboard.style", style),
  assetRoute("dashboard.talk_style", talkStyle),
  assetRoute("dashboard.alone_style", aloneStyle),
  assetRoute("dashboard.docs_style", docsStyle),
  assetRoute("dashboard.font", font),
  assetRoute("dashboard.icons", icons),
  scriptRoute("console.live_script", liveScript),
  scriptRoute("console.frame", consoleScript)
)
