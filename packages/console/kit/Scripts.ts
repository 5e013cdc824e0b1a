import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { staticBody } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { Effect } from "effect"
import { queryParameter } from "./Forms.ts"
import { defaultLanguage, type Language, languageNamed, languages, translated } from "./Language.ts"

/** A script of ours: its text by language, and its address, which changes with the text. */
export interface Script {
  readonly path: string
  readonly texts: Readonly<Record<Language, string>>
  readonly address: (language: Language) => string
}

/**
 * Returns a script that stands beside the page that loads it, served under `/dashboard/scripts`. Each `tr()` of a literal in it is a
 * text that people read, and stands there in their language when it is served.
 */
export const script = (name: string, file: URL): Script => {
  const source = readFileSync(file, "utf8")
  const inLanguage = (language: Language) =>
    source.replaceAll(/\btr\("([^"]*)"\)/g, (_, text: string) => JSON.stringify(translated(text, language)))
  const texts = Object.fromEntries(languages.map((language) => [language, inLanguage(language)])) as Script["texts"]
  const tag = createHash("sha256").update(JSON.stringify(texts)).digest("base64url").slice(0, 16)
  const path = `/dashboard/scripts/${name}.js`
  return { path, texts, address: (language) => `${path}?v=${language}.${tag}` }
}

/** Headers of what pages name by its tag: it never changes under that address. */
export const keptForYears = { "cache-control": "public, max-age=31536000, immutable" }

/** The route of a script. */
export const scriptRoute = (operation: string, { path, texts }: Script) => {
  const body = (language: Language) =>
    staticBody(texts[language], { "content-type": "text/javascript; charset=utf-8", ...keptForYears })
  const bodies = { en: body("en"), pt: body("pt") } satisfies Readonly<Record<Language, unknown>>
  return Routes.raw({
    operation,
    method: "GET",
    path,
    handler: (request) =>
      Effect.succeed(bodies[languageNamed(queryParameter(request, "v")?.split(".")[0]) ?? defaultLanguage](request))
  })
}
