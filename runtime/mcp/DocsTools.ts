import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** One section of a guide, from its heading to the next one. */
interface Section {
  readonly page: string
  readonly heading: string
  readonly text: string
}

/** Guides for integrators and operators by their name, such as `webhooks`. */
export type Guides = ReadonlyMap<string, string>

const folder = fileURLToPath(new URL("../../docs", import.meta.url))
const mostFound = 8
const excerptLength = 400

/** Reads the guides that were installed with the program; none when they were left out. */
export const readGuides = (): Guides => {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith(".md"))
    return new Map(names.sort().map((name) => [name.slice(0, -3), readFileSync(join(folder, name), "utf8")]))
  } catch {
    return new Map()
  }
}

const sectionsOf = (page: string, text: string): ReadonlyArray<Section> =>
  text.split(/^(?=#{1,3} )/m).map((part) => ({
    page,
    heading: /^#{1,3} (.*)$/m.exec(part)?.[1] ?? page,
    text: part
  }))

const wordsOf = (text: string): ReadonlyArray<string> => text.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? []

/** Returns the sections in which most of the words stand, the heading counting most. */
export const searchGuides = (guides: Guides, query: string): object => {
  const wanted = [...new Set(wordsOf(query))].slice(0, 20)
  const found = [...guides]
    .flatMap(([page, text]) => sectionsOf(page, text))
    .map((section) => ({ section, score: scoreOf(section, wanted) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, mostFound)
  return {
    object: "list",
    data: found.map(({ section: { heading, page, text } }) => ({
      page,
      heading,
      excerpt: text.replace(/^#.*$/m, "").trim().slice(0, excerptLength)
    }))
  }
}

const scoreOf = ({ heading, page, text }: Section, wanted: ReadonlyArray<string>): number => {
  const title = `${page} ${heading}`.toLowerCase()
  const body = text.toLowerCase()
  return wanted.reduce((sum, word) => sum + (title.includes(word) ? 5 : 0) + Math.min(3, countOf(body, word)), 0)
}

const countOf = (text: string, word: string): number => text.split(word).length - 1
