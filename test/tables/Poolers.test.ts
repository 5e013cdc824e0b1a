import { bringUpToDate } from "@carteiro/runtime/boot/Database.ts"
import { lookAtPoolers, poolerSizes } from "@carteiro/runtime/boot/Poolers.ts"
import { poolerFindings } from "@carteiro/runtime/cli/doctor/PoolerFindings.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { hasPgBouncer, pgBouncer } from "../support/PgBouncer.ts"
import { hasPgpool, pgpool } from "../support/Pgpool.ts"
import { replicated } from "../support/Standby.ts"
import { create } from "../support/TestDatabase.ts"

const unlessPgBouncer = hasPgBouncer ? "" : " (not run: Debian's pgbouncer is missing)"
const unlessPgpool = hasPgpool ? "" : " (not run: Debian's pgpool2 is missing)"

/** Returns the line with which a start over this URL is refused, or that it is not. */
const refusal = (url: string) =>
  Effect.match(
    bringUpToDate({ url, shownUrl: url, log: undefined, lost: Effect.never }, { migrationLockWaitMs: 1000 }),
    { onFailure: (error) => error.message, onSuccess: () => "not refused" }
  )

const verdicts = (url: string) =>
  Effect.map(lookAtPoolers(url, "carteiro-test"), (poolers) =>
    poolerFindings(poolers, 15, "name").map(({ found, status }) => `${status}: ${found}`)
  )

describe("a pooler before PostgreSQL", () => {
  it.live("is looked for in one round trip, and a direct connection has none", () =>
    Effect.gen(function* () {
      const url = yield* create()
      assert.deepStrictEqual(yield* lookAtPoolers(url, "carteiro-test"), [{ kind: "none" }])
      assert.deepStrictEqual(yield* verdicts(url), [])
      assert.strictEqual(yield* refusal(url), "not refused")
    })
  )

  it.live(
    `of transactions or statements is refused before anything waits for it, and by the doctor${unlessPgBouncer}`,
    () =>
      Effect.gen(function* () {
        if (!hasPgBouncer) return
        for (const [mode, after] of [
          ["transaction", "transaction, and locks of shards and settings live in sessions"],
          ["statement", "statement, and allows no transaction"]
        ] as const) {
          const url = yield* pgBouncer(yield* create(), [`pool_mode = ${mode}`])
          const line = `a pooler shares sessions among clients after each ${after}`
          assert.strictEqual(
            yield* refusal(url),
            `DATABASE_URL: ${line}; set pool_mode = session there, or reach PostgreSQL directly`
          )
          assert.deepStrictEqual(yield* verdicts(url), [`wrong: A${line.slice(1)}.`])
        }
      }).pipe(Effect.scoped)
  )

  it.live(`of sessions serves, and its sizes are asked for where the role may${unlessPgBouncer}`, () =>
    Effect.gen(function* () {
      if (!hasPgBouncer) return
      const database = yield* create()
      const { username } = new URL(database)
      const open = yield* pgBouncer(database, [`stats_users = ${username}`, "default_pool_size = 9"])
      const sizes = { poolSize: 9, clients: 100, active: 0, waiting: 0 }
      assert.deepStrictEqual(yield* lookAtPoolers(open, "carteiro-test"), [{ kind: "sessions", sizes }])
      assert.strictEqual(yield* refusal(open), "not refused")
      const closed = yield* pgBouncer(database)
      assert.deepStrictEqual(yield* lookAtPoolers(closed, "carteiro-test"), [{ kind: "sessions", sizes: undefined }])
    }).pipe(Effect.scoped)
  )

  it.live(`that answers reads from standbys or from its memory is refused by name${unlessPgpool}`, () =>
    Effect.gen(function* () {
      if (!hasPgpool) return
      const url = yield* create()
      const balancing = yield* pgpool(url, ["load_balance_mode = on"])
      assert.match(
        yield* refusal(balancing),
        /^DATABASE_URL: pgpool-II answers reads from standbys \(load_balance_mode = on\), .*; set load_balance_mode = off there, or /
      )
      assert.match((yield* verdicts(balancing)).join(), /^wrong: Pgpool-II answers reads from standbys/)
      const caching = yield* pgpool(url, ["load_balance_mode = off", "memory_cache_enabled = on"])
      assert.strictEqual(
        yield* refusal(caching),
        "DATABASE_URL: pgpool-II answers reads from its memory (memory_cache_enabled = on), which may be old; set memory_cache_enabled = off there, or reach PostgreSQL directly"
      )
      assert.match((yield* verdicts(caching)).join(), /^wrong: Pgpool-II answers reads from its memory/)
      const plain = yield* pgpool(url, ["load_balance_mode = off"])
      assert.deepStrictEqual(yield* lookAtPoolers(plain, "carteiro-test"), [{ kind: "none" }])
    }).pipe(Effect.scoped)
  )

  const fromStandby =
    "a pooler answers reads from a standby, which does not know yet what was just written; let it send everything to the primary, or reach PostgreSQL directly"

  it.live(
    `that leads to a standby is refused, PgBouncer${unlessPgBouncer}`,
    () =>
      Effect.gen(function* () {
        if (!hasPgBouncer) return
        const { standby } = yield* replicated
        const url = yield* pgBouncer(standby)
        assert.strictEqual(yield* refusal(url), `DATABASE_URL: ${fromStandby}`)
        assert.match((yield* verdicts(url)).join(), /^wrong: A pooler answers reads from a standby/)
      }).pipe(Effect.scoped),
    240_000
  )

  it.live(
    `that leads to a standby is refused, pgpool-II${unlessPgpool}`,
    () =>
      Effect.gen(function* () {
        if (!hasPgpool) return
        const { standby } = yield* replicated
        assert.strictEqual(
          yield* refusal(yield* pgpool(standby, ["load_balance_mode = off"])),
          `DATABASE_URL: ${fromStandby}`
        )
      }).pipe(Effect.scoped),
    240_000
  )

  it("of sessions starves a node when less is left than it takes, and says how much all nodes need", () => {
    const told = (active: number, waiting = 0) =>
      poolerSizes({ kind: "sessions", sizes: { poolSize: 20, clients: 100, active, waiting } }, 15, "carteiro")
    assert.isTrue(told(0)?.isEnough)
    assert.isTrue(told(5)?.isEnough)
    assert.isFalse(told(15)?.isEnough)
    assert.isFalse(told(0, 1)?.isEnough)
    assert.include(told(15)?.found ?? "", "the pool of carteiro has 20, of which 15 are in use and 5 are left")
    assert.include(told(15)?.remedy ?? "", "default_pool_size")
    const starved = poolerFindings(
      [{ kind: "sessions", sizes: { poolSize: 20, clients: 100, active: 20, waiting: 3 } }],
      15,
      "carteiro"
    )
    assert.deepStrictEqual(
      starved.map(({ status }) => status),
      ["attention"]
    )
  })
})
