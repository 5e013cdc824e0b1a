import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { staticBody } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { Effect } from "effect"

/** A script of ours: its text, its address, and the tag in that which changes with the text. */
export interface Script {
  readonly path: string
  readonly text: string
  readonly tag: string
  readonly address: string
}

/** Returns a script that stands beside the page that loads it, served under `/dashboard/scripts`. */
export const script = (name: string, file: URL): Script => {
  const text = readFileSync(file, "utf8")
  const tag = createHash("sha256").update(text).digest("base64url").slice(0, 16)
  const path = `/dashboard/scripts/${name}.js`
  return { path, text, tag, address: `${path}?v=${tag}` }
}

/** Headers of what pages name by its tag: it never changes under that address. */
export const keptForYears = { "cache-control": "public, max-age=31536000, immutable" }

/** The route of a script. */
export const scriptRoute = (operation: string, { path, text }: Script) => {
  const body = staticBody(text, { "content-type": "text/javascript; charset=utf-8", ...keptForYears })
  return Routes.raw({ operation, method: "GET", path, handler: (request) => Effect.succeed(body(request)) })
}
