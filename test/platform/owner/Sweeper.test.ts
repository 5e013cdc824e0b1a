import { answer, batch, defineOwner } from "@carteiro/runtime/platform/owner/Owner.ts"
import { platformJobs } from "@carteiro/runtime/platform/owner/schedule/PlatformJobs.ts"
import { layerSweeper } from "@carteiro/runtime/platform/owner/schedule/Sweeper.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { OwnerTest, turnBy } from "../../support/OwnerTest.ts"

const Sleeper = defineOwner("Sleeper", { Ask: batch(Schema.Struct({}), Schema.Int) })

const worked: Array<string> = []
const asked: Array<number> = []
let runs = 0

const once = (value: ReadonlyArray<string>) => {
  let failed = false
  return Effect.suspend(() => {
    if (failed) return Effect.succeed(value)
    failed = true
    return Effect.die(new Error("fails once"))
  })
}
const sweptAfterFailure = once(["recovered"])

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

const sweeper = layerSweeper({
  due: [
    { type: "Sleeper", due: () => sweptAfterFailure },
    {
      type: "Sleeper",
      due: (now, limit) =>
        Effect.sync(() => {
          asked.push(now)
          return ["asleep"].slice(0, limit)
        })
    }
  ],
  gauges: [],
  jobs: [
    { name: "broken", everyMs: 1000, run: Effect.asVoid(once([])) },
    { name: "counted", everyMs: 60_000, run: Effect.sync(() => void runs++) }
  ]
})

it.layer(OwnerTest(sweeper.pipe(Layer.provideMerge(SleeperLayer))), { excludeTestServices: true })(
  "the sweeper",
  (it) => {
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
  }
)
