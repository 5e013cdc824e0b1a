import { spawnSync } from "node:child_process"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { load } from "js-yaml"
import { assert, describe, it } from "vitest"
import { read, root } from "../docs/GuideBlocks.ts"

interface Rule {
  readonly alert?: string
  readonly record?: string
  readonly expr: string
  readonly labels?: { readonly severity?: string }
  readonly annotations?: { readonly summary?: string; readonly runbook_url?: string }
}

interface Panel {
  readonly id: number
  readonly title: string
  readonly description?: string
  readonly targets: ReadonlyArray<{ readonly expr: string }>
}

interface Board {
  readonly uid: string
  readonly title: string
  readonly panels: ReadonlyArray<Panel>
}

const { groups } = load(read("deploy/prometheus/rules.yaml")) as {
  readonly groups: ReadonlyArray<{ readonly rules: ReadonlyArray<Rule> }>
}
const rules = groups.flatMap((group) => group.rules)
const alerts = rules.filter(({ alert }) => alert !== undefined)
const files = readdirSync(join(root, "deploy/grafana")).filter((file) => file.endsWith(".json"))
const boards = files.map((file): Board => JSON.parse(read(`deploy/grafana/${file}`)))
const queries = [
  ...rules.map(({ expr }) => expr),
  ...boards.flatMap(({ panels }) => panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)))
]

/** Labels of each metric by the table of the operations guide, which test/docs/Metrics.test.ts holds to what is served. */
const documented = new Map(
  read("docs/operations.md")
    .split("\n")
    .flatMap((row) => {
      const [, names = "", labels = ""] = row.split("|")
      const words = [...labels.matchAll(/`([a-z_]+)`/g)].map(([, label = ""]) => label)
      return [...names.matchAll(/`([a-z_0-9]+)`/g)].map(([, name = ""]) => [name, words] as const)
    })
)
/** Labels that Prometheus adds, or that a histogram or the node's processes have. */
const everywhere = ["le", "instance", "job", "process"]

/** The metrics of a query with the labels that it selects or groups by. */
const metricsOf = (query: string): ReadonlyArray<readonly [name: string, labels: ReadonlyArray<string>]> => {
  const grouped = [...query.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels = ""]) => labels.split(/,\s*/))
  const named = query.replaceAll(/\bby \([^)]*\)/g, "").matchAll(/(?<![\w:"])([a-z][a-z0-9_:]+)(\{[^}]*\})?(?![\w(:])/g)
  return [...named]
    .filter(([, name = ""]) => !words.has(name))
    .map(([, name = "", selected = ""]) => [
      name,
      [...grouped, ...[...selected.matchAll(/(\w+)\s*[=!]~?/g)].map(([, label = ""]) => label)]
    ])
}
/** Words of the language itself. */
const words = new Set(["sum", "max", "min", "and", "offset", "time"])

const promtool = (...args: ReadonlyArray<string>) =>
  spawnSync("promtool", [...args], { cwd: join(root, "deploy/prometheus"), encoding: "utf8" })
const isInstalled = promtool("--version").error === undefined

describe("Boards and alerts", () => {
  it("query only metrics and labels that the product serves", () => {
    const recorded = new Set(rules.map(({ record }) => record))
    for (const query of queries) {
      const asked = metricsOf(query)
      assert.isNotEmpty(asked, query)
      for (const [name, labels] of asked) {
        if (recorded.has(name) || name === "up") continue
        const family = name.replace(/_(?:bucket|sum|count)$/, "")
        const known = documented.get(name) ?? documented.get(family)
        assert.isDefined(known, `${name} in ${query}`)
        assert.includeMembers([...(known ?? []), ...everywhere], [...labels], query)
      }
    }
  })

  it("have a runbook for each alert, and none for any other", () => {
    const sections = [...read("docs/runbooks.md").matchAll(/^## (\w+)$/gm)].map(([, name = ""]) => name)
    assert.deepStrictEqual(
      sections,
      alerts.map(({ alert }) => alert)
    )
    for (const { alert, annotations, labels } of alerts) {
      assert.strictEqual(annotations?.runbook_url, `docs/runbooks.md#${alert?.toLowerCase()}`)
      assert.isNotEmpty(annotations?.summary)
      assert.include(["page", "ticket"], labels?.severity)
    }
  })

  it("link within the runbooks to existing sections", () => {
    const text = read("docs/runbooks.md")
    for (const [, anchor = ""] of text.matchAll(/\]\(#(\w+)\)/g)) {
      assert.isTrue(
        alerts.some(({ alert }) => alert?.toLowerCase() === anchor),
        anchor
      )
    }
    for (const part of ["Users notice.", "Look.", "Do.", "It is over"]) {
      assert.strictEqual(text.split(`**${part}**`).length - 1, alerts.length, part)
    }
  })

  it("tell by which line of the log a failed or slow request is found, where they show such", () => {
    const shown = boards
      .flatMap(({ panels }) => panels)
      .filter(({ targets }) => targets.some(({ expr }) => /accept_failures|status="5xx"|messages\.send/.test(expr)))
    assert.isAbove(shown.length, 2)
    for (const { description = "", title } of shown) {
      assert.match(description, /operation .*(?:status|duration_ms) from \d+: trace_id leads .*request_id to/, title)
    }
  })

  it("have distinct ids and a place for each panel", () => {
    assert.sameMembers(
      boards.map(({ uid }) => `${uid.replace("carteiro-", "")}.json`),
      files
    )
    for (const { panels } of boards)
      assert.deepStrictEqual(
        panels.map(({ id }) => id),
        panels.map((_, n) => n + 1)
      )
  })

  it(`fire and end as their tests say${isInstalled ? "" : " (not run: promtool of Debian's prometheus is missing)"}`, () => {
    if (!isInstalled) return
    for (const args of [
      ["check", "rules", "rules.yaml"],
      ["test", "rules", "rules.test.yaml"]
    ]) {
      const { status, stderr, stdout } = promtool(...args)
      assert.strictEqual(status, 0, `${stdout}${stderr}`)
    }
  })
})
