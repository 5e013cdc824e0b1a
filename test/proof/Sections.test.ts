import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "vitest"
import { readSoak } from "../soak/SoakFile.ts"
import { pagesOf } from "../soak/SoakSection.ts"
import { toldOf } from "./DependenciesSection.ts"
import { faultsSection, shownRuns } from "./FaultsSection.ts"
import { writeSection } from "./Section.ts"

const folder = mkdtempSync(join(tmpdir(), "carteiro-proof-"))
afterAll(() => rmSync(folder, { recursive: true }))

const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
const lines = (values: ReadonlyArray<object>) => values.map((value) => `${JSON.stringify(value)}\n`).join("")

const about = {
  about: { commit: "abc", node: "v24", postgres: "18", plan: { sendsPerSecond: 6, environments: 8, repeatedOneOf: 20 } }
}
const sample = (n: number) => ({
  at: n * 30,
  accepts: { count: 9, p50: n, p99: 10 * n, max: 99 },
  reads: { count: 9, p50: 1, p99: 2, max: 3 },
  processes: [{ name: "edge 1", residentBytes: 200 * 1_048_576, heapBytes: 90 * 1_048_576, cpuSeconds: n, owners: 0 }],
  outstanding: n % 2,
  tables: [{ name: "messages", bytes: 2000 * 1000, indexBytes: 1000 * 1000, live: 2000, dead: 7 }]
})
const samples = Array.from({ length: 12 }, (_, n) => sample(n + 1))
const end = {
  messages: 1200,
  batches: 2,
  deliveries: 3600,
  repeated: 0,
  breaches: [] as ReadonlyArray<string>,
  seconds: 7000
}

describe("the page of proof", () => {
  it("gets a section in its place, and a new one before the last", () => {
    const page = file("page.md", "# Page\n\n## One\n\nold\n\n## Last\n\nkept\n")
    writeSection(page, "One", "new")
    writeSection(page, "Two", "second")
    assert.strictEqual(readFileSync(page, "utf8"), "# Page\n\n## One\n\nnew\n\n## Two\n\nsecond\n\n## Last\n\nkept\n")
  })

  it("compares the first with the last quarter of a soak, and draws each picture", () => {
    const { pictures, text } = pagesOf(readSoak(file("soak.jsonl", lines([about, ...samples, { end }]))))
    assert.include(text, "1,200 messages, 2 batches, 3,600 deliveries")
    assert.include(text, "| accepting answers, p50, ms | 2.0 | 11.0 |")
    assert.include(text, "| resident memory of edge 1, MB | 200 | 200 |")
    assert.include(text, "| bytes a row of `messages` | 1500 | 1500 |")
    for (const [name, picture] of Object.entries(pictures)) {
      assert.include(text, `images/${name}`)
      assert.notInclude(picture, "NaN", name)
      assert.include(picture, '<path class="c0" d="M', name)
    }
  })

  it("tells what a soak has broken, and takes none that has not ended", () => {
    const broken = { ...end, breaches: ["2 accepted messages are not stored"] }
    assert.include(
      pagesOf(readSoak(file("broken.jsonl", lines([about, ...samples, { end: broken }])))).text,
      "**Broken:** 2 accepted messages are not stored."
    )
    assert.throws(() => readSoak(file("open.jsonl", lines([about, ...samples]))), "the soak has not ended")
  })

  it("counts the faults of each run, and names the promises that it broke", () => {
    const run = {
      day: "2026-11-24",
      commit: "abc",
      seed: "one",
      mode: "cluster",
      edges: 1,
      shards: 3,
      processes: 4,
      seconds: 30,
      drivers: { cards: "stripe", pix: "pix-api" },
      faults: ["link torn 1", "link torn 2", "kill shard1"],
      sends: 1000,
      lostAnswers: 3,
      messages: 900,
      deliveries: 2700,
      payments: 4,
      topups: 2,
      groups: 1,
      checks: 48,
      broken: [] as ReadonlyArray<string>
    }
    const bad = { ...run, seed: "two", broken: ["no key stays in progress"] }
    const good = faultsSection(file("good.jsonl", lines([run])))
    assert.include(good, "Every check held in every run.")
    assert.include(
      good,
      "| `one` | 1 edge, 3 shards, the first of 4 processes, 30 | `stripe`, `pix-api` | 3: link torn 2 times, kill | 1,000 | 900 | 2,700 | 4, 2, 1 | 3 | 48 of 48 |"
    )
    assert.notInclude(good, "So often")
    const counted = { ...run, strikes: { cards: { rate_limited: 2 }, pix: { rate_limited: 1, slow: 4 } } }
    const twice = faultsSection(file("counted.jsonl", lines([counted, counted])))
    assert.include(
      twice,
      "| fault | `stripe` | `pix-api` |\n|---|---|---|\n| `rate_limited` | 4 | 2 |\n| `slow` |  | 8 |"
    )
    const mixed = faultsSection(file("mixed.jsonl", lines([run, bad])))
    assert.include(mixed, "**Broken in `two`:** no key stays in progress.")
    assert.include(mixed, "| 47 of 48 |")
  })

  it("shows the published runs under faults as they were recorded, and nothing else", () => {
    const page = readFileSync(new URL("../../docs/proof.md", import.meta.url), "utf8")
    const section = page.split(/^## /m).find((part) => part.startsWith("Under faults\n"))
    assert.strictEqual(section?.trim(), `Under faults\n\n${faultsSection(shownRuns)}`)
  })

  it("claims something about vulnerabilities only when a registry has told of them", () => {
    const metadata = { vulnerabilities: {} }
    assert.match(toldOf({}, "2026-11-24"), /claims nothing/)
    assert.match(toldOf({ metadata }, "2026-11-24"), /^On 2026-11-24 the registry knew of no vulnerability/)
    assert.include(toldOf({ metadata, vulnerabilities: { got: { severity: "low" } } }, "2026-11-24"), "`got` (low)")
  })
})
