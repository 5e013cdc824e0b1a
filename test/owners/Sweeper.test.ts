import { type DuePage, layerSweeper, platformJobs } from "@carteiro/owners/DueWork.ts"
import { HealthChecks } from "@carteiro/owners/HealthChecks.ts"
import { answer, batch, defineOwner } from "@carteiro/owners/Owner.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Latch, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { OwnerTest, turnBy } from "../support/OwnerTest.ts"

const Sleeper = defineOwner("Sleeper", { Ask: batch(Schema.Struct({}), Schema.Int) })

const worked: Array<string> = []
const asked: Array<number> = []
let runs = 0

const crowd = Array.from({ length: 3500 }, (_, n) => `owner-${String(n).padStart(4, "0")}`)
/** All stay due, whatever their owners do: the first of them must not keep the others from their turn. */
let crowded = false
const reached = new Set<string>()

/** Closed while a look for due owners hangs so that nothing can interrupt it. */
const looks = Latch.makeUnsafe(true)

const pageOf = (sorted: ReadonlyArray<string>, after: string, limit: number): DuePage => {
  const ids = sorted.filter((id) => id > after).slice(0, limit)
  return { ids, next: ids.length < limit ? undefined : ids.at(-1) }
}

const once = <A>(value: A) => {
  let failed = false
  return Effect.suspend(() => {
    if (failed) return Effect.succeed(value)
    failed = true
    return Effect.die(new Error("fails once"))
  })
}
const sweptAfterFailure = once<DuePage>({ ids: ["recovered"], next: undefined })

const SleeperLayer = Sleeper.toLayer(
  Effect.succeed({
    load: () => Effect.succeed({}),
    handlers: { Ask: { decide: (items) => items.map(() => answer(0)) } },
    work: (_state: object, owner) => {
      worked.push(owner.id)
      return Effect.succeed(undefined)
    }
  })
)

const Many = defineOwner("Many", { Ask: batch(Schema.Struct({}), Schema.Int) })

const ManyLayer = Many.toLayer(
  Effect.succeed({
    load: () => Effect.succeed({}),
    handlers: { Ask: { decide: (items) => items.map(() => answer(0)) } },
    work: (_state: object, owner) => {
      reached.add(owner.id)
      return Effect.succeed(undefined)
    }
  })
)

const sweeper = layerSweeper({
  due: [
    { type: "Sleeper", due: () => Effect.andThen(Effect.uninterruptible(looks.await), sweptAfterFailure) },
    {
      type: "Sleeper",
      due: (now, after, limit) =>
        Effect.sync(() => {
          asked.push(now)
          return pageOf(["asleep"], after, limit)
        })
    },
    { type: "Many", due: (_now, after, limit) => Effect.sync(() => pageOf(crowded ? crowd : [], after, limit)) }
  ],
  gauges: [],
  jobs: [
    { name: "broken", everyMs: 1000, run: Effect.asVoid(once([])) },
    { name: "counted", everyMs: 60_000, run: Effect.sync(() => void runs++) }
  ]
})

const swept = sweeper.pipe(Layer.provideMerge(Layer.mergeAll(SleeperLayer, ManyLayer, HealthChecks.layer)))

it.layer(OwnerTest(swept), { excludeTestServices: true })("the sweeper", (it) => {
  it.effect("wakes owners whose work is due, every second, whatever fails beside it", () =>
    Effect.gen(function* () {
      // Answers once the node holds its shards, the sweeper's among them.
      yield* (yield* Sleeper.client).Ask("awake", {})
      yield* turnBy(3000)
      const now = yield* Clock.currentTimeMillis
      assert.includeMembers(worked, ["asleep", "recovered"])
      assert.isAtLeast(asked.length, 3)
      assert.isAtMost(Math.max(...asked), now)
    })
  )

  it.effect("tells by its health that sweeps end", () =>
    Effect.gen(function* () {
      const health = yield* HealthChecks
      yield* turnBy(90_000)
      assert.strictEqual((yield* health.run(["sweeper"])).sweeper?.status, "ok")
    })
  )

  it.effect("fails its health check while a sweep hangs, and passes it once sweeps end again", () =>
    Effect.gen(function* () {
      const health = yield* HealthChecks
      looks.closeUnsafe()
      yield* turnBy(59_000)
      assert.strictEqual((yield* health.run(["sweeper"])).sweeper?.status, "ok")
      yield* turnBy(5000)
      assert.strictEqual((yield* health.run(["sweeper"])).sweeper?.status, "failed")
      looks.openUnsafe()
      yield* turnBy(2000)
      assert.strictEqual((yield* health.run(["sweeper"])).sweeper?.status, "ok")
    })
  )

  it.effect("runs periodic jobs at their pace, whatever fails beside them", () =>
    Effect.gen(function* () {
      yield* turnBy(1000)
      const before = runs
      assert.isAtLeast(before, 1)
      yield* turnBy(180_000)
      assert.strictEqual(runs - before, 3)
    })
  )

  it.effect("forgets idempotency records at the end of their window and commits after a day", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const now = yield* Clock.currentTimeMillis
      const record = (key: string, expires: number) => sql`insert into idempotency_records
          (environment_id, key_hash, fingerprint, status, created_at, expires_at)
          values ('env_1', ${key}, 'f', 'in_progress', ${new Date(now)}, ${new Date(expires)})`
      yield* record("over", now + 60_000)
      yield* record("open", now + 86_400_000)
      yield* sql`insert into commits (id, created_at, outcome) values
          ('old', ${new Date(now - 86_400_000)}, '{}'), ('young', ${new Date(now)}, '{}')`
      yield* turnBy(60_000)
      yield* Effect.forEach(platformJobs, ({ run }) => run)
      const kept = yield* sql<{ key: string }>`select key_hash as key from idempotency_records
          union all select id from commits where id in ('old', 'young') order by 1`
      assert.deepStrictEqual(
        kept.map(({ key }) => key),
        ["open", "young"]
      )
    })
  )

  it.effect("reaches every owner with due work, however many stay due before it", () =>
    Effect.gen(function* () {
      crowded = true
      yield* turnBy(5000)
      crowded = false
      assert.deepStrictEqual([...reached].sort(), crowd)
    })
  )
})
