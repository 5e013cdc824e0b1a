import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type GuideLanguage, searchWeight } from "./DocsNav.ts"

/** Guides for integrators and operators by their name, such as `webhooks`, or `pt/webhooks` in Portuguese, as Markdown. */
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
    const named = (folder: string) => readdirSync(join(root, "docs", folder)).filter((name) => name.endsWith(".md"))
    const files = [
      ...named("").map((name) => [name.slice(0, -3), `docs/${name}`] as const),
      ...named("pt").map((name) => [`pt/${name.slice(0, -3)}`, `docs/pt/${name}`] as const),
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

/** Returns a text without case and accents, so that `notificacao` finds `Notificação`. */
const folded = (text: string): string => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase()

const wordsOf = (text: string): ReadonlyArray<string> => folded(text).match(/[\p{L}\p{N}_]{2,}/gu) ?? []

/** Returns the sections in which most of the words stand; sections in the language stand above others. */
export type SectionSearch = (query: string, most: number, language?: GuideLanguage) => ReadonlyArray<Section>

/**
 * Returns a search of guides, the heading of a section counting most, and each guide as `DocsNav.ts` weighs it.
 */
export const sectionSearch = (guides: Guides): SectionSearch => {
  const sections = [...guides].flatMap(([page, text]) => sectionsOf(page, text)).map(searchable)
  return (query, most, language = "en") => {
    const words = [...new Set(wordsOf(query))].slice(0, 20)
    return sections
      .map((one) => ({ section: one.section, score: scoreOf(one, words) * searchWeight(one.section.page, language) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, most)
      .map(({ section }) => section)
  }
}

/** A section with its texts as words are compared with them. */
interface Searchable {
  readonly section: Section
  readonly name: string
  readonly title: string
  readonly body: string
  /** The beginning of a guide leads to all of it. */
  readonly isBeginning: boolean
}

const searchable = (section: Section): Searchable => ({
  section,
  name: folded(section.page),
  title: folded(section.heading),
  body: folded(section.text),
  isBeginning: section.text.startsWith("# ")
})

const scoreOf = ({ body, isBeginning, name, title }: Searchable, words: ReadonlyArray<string>): number =>
  words.reduce((sum, word) => {
    const isNamed = name.includes(word)
    const isTitled = title.includes(word)
    const count = countOf(body, word)
    const ofBeginning = isBeginning && (isNamed || isTitled) ? 4 : 0
    return sum + ofBeginning + (isNamed ? 2 : 0) + (isTitled ? 5 : 0) + Math.min(3, count)
  }, 0)

/** Counts a word: where it stands for itself as one, in a longer one, such as a name, as a fifth. */
const countOf = (text: string, word: string): number => {
  const [first = "", ...others] = text.split(word)
  let before = first
  let count = 0
  for (const after of others) {
    count += isWordEnd.test(before) || isWordBeginning.test(after) ? 0.2 : 1
    before = after
  }
  return count
}

const isWordEnd = /[\p{L}\p{N}_]$/u
const isWordBeginning = /^[\p{L}\p{N}_]/u
