import { globSync, readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { headingsOf } from "./Headings.ts"
import { areasOf, coverageOf, foldIds, idsIn, report, unknownIn } from "./RequirementCoverage.ts"

const areas = areasOf(
  "requirements-9.md",
  [
    "# Requirements",
    "## CONV: Conventions",
    "| ID | requirement | where |",
    "|---|---|---|",
    "| A-CONV-01 | One; see A-CONV-77. | here |",
    "| A-CONV-02 | Two. | here |",
    "| A-CONV-03 | Three. | here |",
    "## LSN: Listen",
    "| A-LSN-01 | One. | here |"
  ].join("\n")
)

const gaps = new Map([
  ["gaps-9", headingsOf("## A. Shared\n### Key shape\n### Order of checks\n## B. Other\n### Fanout\n")]
])

const cover = (text: string) => coverageOf(areas, new Map([["test/x/X.test.ts", text]]))
const unknown = (text: string) => unknownIn(areas, gaps, new Map([["runtime/x/X.ts", text]]))

describe("requirement coverage", () => {
  it("reads areas and rows of a document, not the IDs its prose mentions", () => {
    assert.deepStrictEqual(
      areas.map(({ code, title, ids }) => [code, title, ids]),
      [
        ["A-CONV", "Conventions", ["A-CONV-01", "A-CONV-02", "A-CONV-03"]],
        ["A-LSN", "Listen", ["A-LSN-01"]]
      ]
    )
  })

  it("unfolds ranges", () => {
    assert.deepStrictEqual(
      idsIn("keeps its window A-IDEM-08..10, A-LSN-01..A-LSN-02").map(({ ids }) => ids),
      [
        ["A-IDEM-08", "A-IDEM-09", "A-IDEM-10"],
        ["A-LSN-01", "A-LSN-02"]
      ]
    )
  })

  it("counts names, not comments", () => {
    const { named } = cover('// A-LSN-01\nit("pages A-CONV-01..02", () => {})\nit.each([`ends A-CONV-03`])')
    assert.deepStrictEqual([...named], ["A-CONV-01", "A-CONV-02", "A-CONV-03"])
  })

  it.each(["A-CONV-04", "A-CONV-1", "A-NONE-01", "A-CONV-02..09", "A-CONV-02..01"])("reports %s as unknown", (name) => {
    assert.deepStrictEqual(unknown(`\n/** Promises it. ${name} */`), [{ path: "runtime/x/X.ts", line: 2, name }])
  })

  it.each([
    ['gaps-9 A "Key form"', 'gaps-9 A "Key form"'],
    ['gaps-9 A "Key shape", "Order"', 'gaps-9 A "Order"'],
    ['gaps-9 B "Key shape"', 'gaps-9 B "Key shape"'],
    ["gaps-9 A, C", "gaps-9 C"],
    ["gaps-8 A", "gaps-8 A"],
    ["architecture, section 12", "architecture, section 12"]
  ])("reports a quote without a heading: %s", (quoted, name) => {
    assert.deepStrictEqual(
      unknown(`/** Decided. ${quoted} */`).map((found) => found.name),
      [name]
    )
  })

  it("follows a quote across lines and through a test's name", () => {
    const found = [
      '/** Decided. gaps-9 A "Key\n * shape", "Order of checks", B "Fanout" */',
      '// gaps-9 A\n// "Key shape", which is B. Architecture, section 10',
      'it("is decided gaps-9 A \\"Key shape\\"", () => {})'
    ]
    assert.deepStrictEqual(found.flatMap(unknown), [])
  })

  it("ignores other words with hyphens", () => {
    assert.deepStrictEqual(unknown('it("sends X-REQUEST-1, AA-CONV-04 and a-conv-04", () => {})'), [])
  })

  it("reports by document and area, consecutive unnamed rows joined", () => {
    assert.strictEqual(
      report(areas, cover('it("pages A-CONV-01 A-LSN-01", () => {})')),
      [
        "requirements-9.md: 2 of 4 named",
        "  A-CONV (Conventions): 1 of 3, unnamed A-CONV-02..03",
        "  A-LSN (Listen): 1 of 1",
        "all: 2 of 4 named",
        ""
      ].join("\n")
    )
    assert.strictEqual(foldIds(["A-CONV-01", "A-CONV-03", "A-CONV-04"]), "A-CONV-01, A-CONV-03..04")
  })

  it("reads every row of the documents, each ID once", () => {
    const paths = globSync("docs/requirements/requirements-*.md", { cwd: root }).toSorted()
    const texts = paths.map((path) => readFileSync(new URL(path, root), "utf8"))
    const ids = texts.flatMap((text) => areasOf("", text).flatMap((area) => area.ids))
    assert.strictEqual(new Set(ids).size, ids.length)
    assert.strictEqual(ids.length, texts.join("\n").match(/^\| [ACMU]-/gm)?.length)
  })
})

const root = new URL("../../", import.meta.url)
