import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { gaugesOfRows, jobsOfRows, sweeps } from "../app/Upkeep.ts"
import { Api } from "../support/ApiTest.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { lists, mostRows, Shown } from "./FilledTables.ts"
import { mostRead, queriesOf } from "./Filters.ts"
import { nodesOf, planOf, ranBy, Statements, sortsTable } from "./Planned.ts"

const isRead = ({ text }: { readonly text: string }) => !/\b(?:insert|update|delete|begin|commit)\b/i.test(text)

it.layer(Shown.layer.pipe(Layer.provideMerge(WholeProduct()), Layer.provideMerge(Statements.layer)), {
  excludeTestServices: true,
  timeout: 240_000
})("Tables with many rows", (it) => {
  it.effect.each(lists)(
    "$operationId reads its default order from an index, first page and next (architecture, 7)",
    (list) =>
      Effect.gen(function* () {
        const { acme, get } = yield* Api
        const statements = yield* Statements
        const table = (yield* Shown).get(list.operationId) ?? ""
        const ask = (path: string) => statements.during(get(path, { key: acme.sandbox.key }))
        const [first, firstAsked] = yield* ask(`${list.path}?limit=20`)
        assert.deepStrictEqual([first.status, first.body.has_more, first.body.data.length], [200, true, 20])
        const next = new URLSearchParams({ limit: "20", [list.cursor]: first.body.next_cursor })
        const [second, secondAsked] = yield* ask(`${list.path}?${next}`)
        assert.deepStrictEqual([second.status, second.body.has_more, second.body.data.length], [200, true, 20])
        for (const asked of [firstAsked, secondAsked]) {
          const reading = asked.filter(({ text }) => /\b(from|join)\b/i.test(text) && text.includes(table))
          assert.isAbove(reading.length, 0, `${list.operationId} was not seen reading ${table}`)
          for (const statement of reading) {
            const plan = yield* planOf(statement)
            const kinds = nodesOf(plan).map((node) => [node["Node Type"], node["Relation Name"]].join(" "))
            assert.isTrue(
              nodesOf(plan).some((node) => node["Relation Name"] === table),
              `no plan reads ${table}`
            )
            assert.deepStrictEqual(
              kinds.filter((kind) => kind.startsWith("Seq Scan")),
              []
            )
            assert.isFalse(sortsTable(plan, table), kinds.join(" < "))
          }
        }
      })
  )

  it.effect.each(lists)("$operationId reads a bounded number of rows by every filter, and by every two", (list) =>
    Effect.gen(function* () {
      const { acme, get } = yield* Api
      const statements = yield* Statements
      const ask = (query: Readonly<Record<string, string>>) =>
        get(`${list.path}?${new URLSearchParams({ limit: "20", ...query })}`, { key: acme.sandbox.key })
      const item = (yield* ask({})).body.data[0]
      const unbounded: Array<string> = []
      for (const query of queriesOf(list.operationId, item)) {
        const [{ status, text }, asked] = yield* statements.during(ask(query))
        assert.strictEqual(status, 200, `${JSON.stringify(query)}: ${text}`)
        for (const statement of asked.filter(isRead)) {
          const rows = mostRead(yield* ranBy(statement))
          if (rows > mostRows) unbounded.push(`${JSON.stringify(query)} read ${rows} rows`)
        }
      }
      assert.deepStrictEqual(unbounded, [])
    })
  )

  it.effect.each(jobsOfRows)(
    "the job for $name reads a bounded number of rows a statement, $instant (architecture, 7)",
    ({ unbounded }) => Effect.map(unbounded, (found) => assert.deepStrictEqual(found, []))
  )

  it.effect.each(gaugesOfRows)("the gauge $name reads a bounded number of rows (architecture, 7)", ({ unbounded }) =>
    Effect.map(unbounded, (found) => assert.deepStrictEqual(found, []))
  )

  it.effect.each(sweeps)("a sweep reads a bounded number of rows for each kind of owner, $instant", ({ unbounded }) =>
    Effect.map(unbounded, (found) => assert.deepStrictEqual(found, []))
  )
})
