import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** Guides for integrators and operators by their name, such as `webhooks`, as Markdown. */
export type Guides = ReadonlyMap<string, string>

/** One section of a guide, from its heading to the next one. */
export interface Section {
  readonly page: string
  readonly heading: string
  readonly text: string
}

const root = fileURLToPath(new URL("../../", import.meta.url))

/** Guides that stand in their package, which carries them to its users. */
const packageGuides = { cli: "packages/cli/README.md", sdk: "packages/sdk/README.md" }

/** Reads the guides that were installed with the program; none when they were left out. */
export const readGuides = (): Guides => {
  try {
    const names = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md"))
    const files = [
      ...names.map((name) => [name.slice(0, -3), `docs/${name}`] as const),
      ...Object.entries(packageGuides)
    ]
    return new Map(files.sort().map(([name, file]) => [name, readFileSync(join(root, file), "utf8")]))
  } catch {
    return new Map()
  }
}

/** Reads the changelog; empty when it was left out. */
export const readChangelog = (): string => {
  try {
    return readFileSync(join(root, "CHANGELOG.md"), "utf8")
  } catch {
    return ""
  }
}

/** Reads the pictures of the guides by their names; those that were left out are missing. */
export const readPictures = (): ReadonlyMap<string, Uint8Array> => {
  try {
    const folder = join(root, "docs", "images")
    return new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]))
  } catch {
    return new Map()
  }
}

/** Returns the first block of code of a guide in a language, as its fence names it; undefined when there is none. */
export const blockOf = (guide: string, language: string): string | undefined =>
  new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "ms").exec(guide)?.[1]

/** Returns the sections of a text, each from its heading to the next one. */
const sectionsOf = (page: string, text: string): ReadonlyArray<Section> =>
  text
    .replaceAll(/^```.*?^```/gms, (block) => block.replaceAll(/^#/gm, " #"))
    .split(/^(?=#{1,3} )/m)
    .map((part) => ({ page, heading: /^#{1,3} (.*)$/m.exec(part)?.[1] ?? page, text: part }))

const wordsOf = (text: string): ReadonlyArray<string> => text.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? []

/** Returns the sections in which most of the words stand, the heading counting most. */
export const searchSections = (guides: Guides, query: string, most: number): ReadonlyArray<Section> => {
  const wanted = [...new Set(wordsOf(query))].slice(0, 20)
  return [...guides]
    .flatMap(([page, text]) => sectionsOf(page, text))
    .map((section) => ({ section, score: scoreOf(section, wanted) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ section }) => section)
}

const scoreOf = ({ heading, page, text }: Section, wanted: ReadonlyArray<string>): number => {
  const title = `${page} ${heading}`.toLowerCase()
  const body = text.toLowerCase()
  return wanted.reduce((sum, word) => sum + (title.includes(word) ? 5 : 0) + Math.min(3, countOf(body, word)), 0)
}

const countOf = (text: string, word: string): number => text.split(word).length - 1
