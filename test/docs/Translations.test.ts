import { readdirSync } from "node:fs"
import { translatedGuides } from "@carteiro/guides/DocsNav.ts"
import { readGuides } from "@carteiro/guides/Guides.ts"
import { assert, it } from "@effect/vitest"
import { root } from "./GuideBlocks.ts"

const guides = readGuides()
const names = [...translatedGuides.keys()]

/** Returns a guide with its blocks of code apart, which Guides.test.ts runs in English. */
const partsOf = (name: string) => {
  const text = guides.get(name)
  assert.isDefined(text, name)
  const code = /^```.*?^```/gms
  return { blocks: text.match(code) ?? [], prose: text.replaceAll(code, "") }
}

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/** Names, codes, headers and values between backticks: what stands in a program is not translated. */
const codesOf = (prose: string): ReadonlyArray<string> =>
  [...prose.matchAll(/`([a-z0-9_.]*_[a-z0-9_.]+|[45]\d\d|svc-[a-z-]+|\/v1\/[^`]*)`/g)].map(([, code = ""]) => code)

it("the translated guides are the files of docs/pt, ten at least", () => {
  assert.sameMembers(
    readdirSync(`${root}docs/pt`),
    names.map((name) => `${name}.md`)
  )
  assert.isAtLeast(names.length, 10)
})

it.each(names)("%s says in Portuguese what it says in English: blocks, headings, rows, items and codes", (name) => {
  const english = partsOf(name)
  const portuguese = partsOf(`pt/${name}`)
  assert.deepStrictEqual(portuguese.blocks, english.blocks)
  const levels = (prose: string) => [...prose.matchAll(/^(#+) /gm)].map(([, signs = ""]) => signs.length)
  assert.deepStrictEqual(levels(portuguese.prose), levels(english.prose))
  for (const [what, pattern] of [
    ["rows of tables", /^\|/gm],
    ["items of lists", /^(?:-|\d+\.) /gm],
    ["links", /\]\(/g],
    ["paragraphs", /\n\n(?=[^\n|#-])/g]
  ] as const) {
    assert.strictEqual(countOf(portuguese.prose, pattern), countOf(english.prose, pattern), what)
  }
  assert.sameMembers([...new Set(codesOf(portuguese.prose))], [...new Set(codesOf(english.prose))])
})
