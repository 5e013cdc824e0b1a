import { readFileSync } from "node:fs"

/** The headings of one document by the letter of their section: `C` holds "API key format". */
export type Headings = ReadonlyMap<string, ReadonlySet<string>>

/** Reads `## C. Authentication` and, below it, `### API key format`. */
export const headingsOf = (text: string): Headings => {
  const sections = new Map<string, Set<string>>()
  let section: Set<string> | undefined
  for (const line of text.split("\n")) {
    const [, letter] = line.match(/^## ([A-Z])\. /) ?? []
    if (letter !== undefined) sections.set(letter, (section = new Set()))
    const [, heading] = line.match(/^### (.*?)\s*$/) ?? []
    if (heading !== undefined) section?.add(heading)
  }
  return sections
}

/** One place of a document as a source quotes it: `gaps-1 J "PATCH details"`, or a whole section, `gaps-1 M`. */
export interface Quote {
  readonly offset: number
  readonly document: string
  readonly letter: string
  readonly heading: string | undefined
}

const places = /\b(gaps-\d)((?:,?\s+[A-Z]\b(?!\w)(?:,?\s+"[^"\n]+")*)+)/g
const place = /([A-Z])\b(?!\w)((?:,?\s+"[^"\n]+")*)/g

/** Quotes of the gaps documents in a source, comments and literals alike; a heading may run over a line's end. */
export const quotesIn = (source: string): ReadonlyArray<Quote> =>
  [...joined(source).matchAll(places)].flatMap(({ index: offset, 1: document = "", 2: list = "" }) =>
    [...list.matchAll(place)].flatMap(([, letter = "", quoted = ""]): ReadonlyArray<Quote> => {
      const headings = [...quoted.matchAll(/"([^"]+)"/g)].map(([, heading = ""]) => heading.replace(/\s+/g, " ").trim())
      return headings.length === 0
        ? [{ offset, document, letter, heading: undefined }]
        : headings.map((heading) => ({ offset, document, letter, heading }))
    })
  )

const architecture = readFileSync(new URL("../../docs/architecture.md", import.meta.url), "utf8")

/** Numbers of the sections of docs/architecture.md. */
const sections: ReadonlySet<string> = new Set(
  [...architecture.matchAll(/^## (\d+)\. /gm)].map(([, number = ""]) => number)
)

/** Returns quoted sections of the architecture that docs/architecture.md does not have. */
export const unknownSections = (source: string): ReadonlyArray<{ readonly offset: number; readonly name: string }> =>
  [...joined(source).matchAll(/\barchitecture,\s+section\s+(\d+)/gi)].flatMap(
    ({ 0: name, 1: number, index: offset }) =>
      sections.has(number ?? "") ? [] : [{ offset, name: name.replace(/\s+/g, " ") }]
  )

/** The same text with what breaks a quote blanked, character for character: line ends of comments, escapes. */
const joined = (source: string): string =>
  source.replace(/\n[ \t]*(?:\*(?!\/)|\/\/|--)|\\(?=")/g, (found) => " ".repeat(found.length))

/** `gaps-1 J "PATCH details"` for a quote that leads nowhere; undefined for one that is found. */
export const unknownQuote = (
  { document, letter, heading }: Quote,
  documents: ReadonlyMap<string, Headings>
): string | undefined => {
  const section = documents.get(document)?.get(letter)
  if (section !== undefined && (heading === undefined || section.has(heading))) return undefined
  return heading === undefined ? `${document} ${letter}` : `${document} ${letter} "${heading}"`
}
