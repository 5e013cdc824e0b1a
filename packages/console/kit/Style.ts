import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"

const read = (name: string): Buffer => readFileSync(new URL(`./design/${name}`, import.meta.url))

const tagOf = (bytes: string | Buffer): string => createHash("sha256").update(bytes).digest("base64url").slice(0, 16)

/** A file that pages load, with an address that changes with its bytes, so that browsers may keep it for good. */
export interface Asset {
  readonly path: string
  readonly tag: string
  readonly bytes: string | Buffer
  readonly contentType: string
}

const asset = (path: string, contentType: string, bytes: string | Buffer): Asset => ({
  path,
  tag: tagOf(bytes),
  bytes,
  contentType
})

const addressOf = ({ path, tag }: Asset): string => `${path}?v=${tag}`

/** The letters of every page: Inter, as one variable font of the Latin alphabet. */
export const font = asset("/dashboard/inter.woff2", "font/woff2", read("inter.woff2"))

/** The icons of every page, each a symbol of one picture. */
export const icons = asset("/dashboard/icons.svg", "image/svg+xml", read("icons.svg").toString("utf8"))

const sheet = (path: string, parts: ReadonlyArray<string>): Asset =>
  asset(
    path,
    "text/css; charset=utf-8",
    parts
      .map((part) => read(`${part}.css`).toString("utf8"))
      .join("\n")
      // Comments, lines and spaces are for readers of the source: without them a page brings a quarter less of it.
      .replaceAll(/\/\*[\s\S]*?\*\//g, "")
      .replaceAll(/\s+/g, " ")
      .replaceAll(/ ?([{};,]) ?/g, "$1")
      .replaceAll(/([{;][a-z-]+): /g, "$1:")
      .replaceAll(font.path, addressOf(font))
  )

/** The stylesheet of every page. */
export const style = sheet("/dashboard/style.css", [
  "palette",
  "tokens",
  "base",
  "frame",
  "parts",
  "story",
  "forms",
  "charts"
])

/** What pages have beside it that show messages as a phone does, or write them. */
export const talkStyle = sheet("/dashboard/talk.css", ["talk"])

/** What pages without a menu have beside it. */
export const aloneStyle = sheet("/dashboard/alone.css", ["payers"])

/** What the pages of the documentation have beside it. */
export const docsStyle = sheet("/dashboard/docs.css", ["docs"])

export const fontAddress = addressOf(font)
export const iconsAddress = addressOf(icons)
export const styleAddress = addressOf(style)
export const talkStyleAddress = addressOf(talkStyle)
export const aloneStyleAddress = addressOf(aloneStyle)
