import { Commit, type Submitted } from "@carteiro/owners/Commit.ts"
import { commitLayer } from "@carteiro/owners/CommitLayer.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { contractRefusals } from "@carteiro/runtime/room/EngineTypes.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { defineInsert, defineUpdate, rowOf } from "@carteiro/tables/TableWrite.ts"
import { defineWrite, type Row } from "@carteiro/tables/Write.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import fc from "fast-check"
import { type CommitUnit, gatherRows, noLease, statementParameters } from "../../packages/owners/commit/Statement.ts"
import { StatementShapes } from "../../packages/owners/commit/StatementShapes.ts"
import { makeClaim } from "../../packages/owners/idempotency/Claim.ts"
import { Statements } from "../contract/Planned.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

const writes = Array.from({ length: 24 }, (_, n) =>
  defineWrite({
    name: `write_${String(n).padStart(2, "0")}`,
    columns: { id: "text", n: "int4" },
    sql: (source) => `insert into things (id, n) select r.id, r.n from ${source} r`
  })
)

const unitOf = (of: ReadonlyArray<number>): CommitUnit => ({
  ...noLease,
  rows: of.flatMap((n) => writes[n]?.row({ id: "one", n }) ?? [])
})

const shapeFor = (shapes: StatementShapes, of: ReadonlyArray<number>, at = 0) => {
  const units = [unitOf(of)]
  const gathered = gatherRows(units)
  const shape = shapes.shapeOf(units, gathered, at)
  return { shape, parameters: statementParameters(shape, "cmt_1", at, units, gathered) }
}

const namesOf = (of: ReadonlyArray<number>) => of.map((n) => writes[n]?.name).sort()

describe("Shapes of commit statements (Decision 0062)", () => {
  it("mixes of ten writes go by far fewer texts than there are mixes, each with all that its batch needs", () => {
    const mix = fc.uniqueArray(fc.integer({ min: 0, max: 9 }), { minLength: 1 })
    fc.assert(
      fc.property(fc.array(mix, { minLength: 50, maxLength: 250 }), (batches) => {
        const shapes = new StatementShapes({})
        const texts = new Set<string>()
        const mixes = new Set<string>()
        for (const batch of batches) {
          const { parameters, shape } = shapeFor(shapes, batch)
          texts.add(shape.text)
          mixes.add(batch.toSorted().join())
          const has = new Set(shape.writes.map(({ name }) => name))
          for (const name of namesOf(batch)) assert.isTrue(has.has(name ?? ""))
          assert.isAtMost(shape.writes.length - batch.length, 4)
          assert.strictEqual(parameters.length, 4 + 3 * shape.writes.length)
        }
        assert.isAtMost(texts.size, 8 + mixes.size / 2)
      }),
      { numRuns: 40 }
    )
  })

  it("a set of writes that comes often has a text of its own in the end", () => {
    const shapes = new StatementShapes({})
    shapeFor(shapes, [0, 1, 2, 3])
    const count = () => shapeFor(shapes, [1]).shape.writes.length
    assert.strictEqual(count(), 4)
    for (let n = 0; n < 30; n++) count()
    assert.strictEqual(count(), 1)
  })

  it("a batch takes in no more than four writes without rows", () => {
    const shapes = new StatementShapes({})
    shapeFor(
      shapes,
      Array.from({ length: 8 }, (_, n) => n)
    )
    assert.strictEqual(shapeFor(shapes, [3, 20]).shape.writes.length, 2)
    assert.strictEqual(shapeFor(shapes, [0, 1, 2, 3]).shape.writes.length, 8)
  })

  it("after a lock stopped a statement a batch touches only what it writes, for ten seconds", () => {
    const shapes = new StatementShapes({})
    shapeFor(shapes, [0, 1, 2])
    shapes.stopped(1000)
    assert.strictEqual(shapeFor(shapes, [1], 10_999).shape.writes.length, 1)
    assert.strictEqual(shapeFor(shapes, [1], 11_000).shape.writes.length, 3)
  })
})

const addNote = defineInsert({
  table: "notes",
  columns: { id: "text" },
  conflict: "ignore",
  claims: "id",
  returning: "id"
})
const spend = defineUpdate({
  name: "levels.spend",
  table: "levels",
  key: { id: "text" },
  values: { n: "t.n - 1" },
  guard: "t.n > 0",
  target: rowOf("levels", "id"),
  returning: "t.id"
})
const count = defineUpdate({
  name: "counts.add",
  table: "counts",
  key: { id: "text" },
  values: { n: "t.n + 1" },
  target: rowOf("counts", "id")
})

const services = commitLayer.pipe(
  Layer.provideMerge(
    Layer.mergeAll(Ids.layer, contractRefusals, Secrets.layer(Redacted.make([new Uint8Array(32).fill(7)])))
  ),
  Layer.provideMerge(TestDatabase.layer),
  Layer.provideMerge(Statements.layer)
)

it.layer(services, { excludeTestServices: true })("A statement with writes that have no rows", (it) => {
  it.effect("decides about claims, guards and idempotency keys as one that has no other writes A-IDEM-04", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const commit = yield* Commit
      const statements = yield* Statements
      yield* sql`create table notes (id text primary key)`
      yield* sql`create table levels (id text primary key, n int not null)`
      yield* sql`create table counts (id text primary key, n int not null)`
      yield* sql`insert into levels values ('one', 2)`
      yield* sql`insert into counts values ('one', 0)`
      const claim = makeClaim({
        environment_id: "env",
        key_hash: "key",
        fingerprint: "",
        expires_at: 4_000_000_000_000
      })
      const once = { claim, response: { status: 202, body: "" } }
      const submit = (rows: ReadonlyArray<Row>, completes?: typeof once) =>
        Effect.map(
          Effect.callback<Submitted>((resume) =>
            commit.submit("one", [{ ...noLease, rows, completes }], (submitted) => resume(Effect.succeed(submitted)))
          ),
          ({ keys, statuses }) => [statuses[0], [...keys(addNote.name)], [...keys(spend.name)]]
        )
      const note = addNote.row({ id: "one" })
      const level = spend.row({ id: "one" })
      const counted = count.row({ id: "one" })
      const [outcomes, asked] = yield* statements.during(
        Effect.all([
          submit([note, level, counted], once),
          submit([counted]),
          submit([note]),
          submit([level]),
          submit([counted], once),
          submit([level]),
          submit([counted])
        ])
      )
      assert.deepStrictEqual(outcomes, [
        ["committed", ["one"], ["one"]],
        ["committed", [], []],
        ["refused", [], []],
        ["committed", [], ["one"]],
        ["duplicate", [], []],
        ["refused", [], []],
        ["committed", [], []]
      ])
      assert.strictEqual(new Set(asked.map(({ text }) => text)).size, 1)
      const [row] = yield* sql<{ readonly n: number }>`select n from counts`
      assert.strictEqual(row?.n, 3)
    })
  )
})
