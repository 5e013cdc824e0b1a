import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { drill } from "./Drill.ts"

const isInstalled = existsSync("/usr/lib/postgresql")
const unless = isInstalled ? "" : " (not run: Debian's postgresql is missing)"
const hasNginx = spawnSync("nginx", ["-v"]).status === 0
const unlessNginx = hasNginx ? "" : " (not run: nginx is missing)"
const debian15 = "/usr/lib/postgresql/15/bin"
const hasPatroni =
  existsSync(debian15) && ["patroni", "etcd"].every((name) => spawnSync(name, ["--version"]).status === 0)
const unlessPatroni = hasPatroni ? "" : " (not run: Debian's patroni, etcd-server or postgresql-15 is missing)"

describe("The drills of a lost database and of a proxy", () => {
  it.live(
    `restore a database to an earlier point, and nothing leaves twice unseen${unless}`,
    () =>
      Effect.gen(function* () {
        if (!isInstalled) return
        const { code, output } = yield* drill("restore.mjs")
        for (const line of [
          'held: {"deliveries":5}',
          "kept of what was older than the point: 5 of 5 messages",
          "lost as told, accepted after it: 3 of 3 messages",
          "left twice unseen: 0; released by the operator: 5",
          "broken invariants of the ledger: 0"
        ]) {
          assert.include(output, line)
        }
        assert.match(output, /missed for \d+\.\d seconds\npassed\n$/)
        assert.strictEqual(code, 0)
      }),
    300_000
  )

  it.live(
    "a failover to a synchronous standby under load loses nothing, and the old primary stays fenced",
    () =>
      Effect.gen(function* () {
        const { code, output } = yield* drill("failover.mjs")
        for (const step of [
          "the primary freezes, the standby is promoted",
          "the old primary wakes up",
          "the old primary crashes and starts again, not fenced",
          "the old primary becomes the synchronous standby",
          "moved back on purpose"
        ]) {
          assert.include(output, `${step}: lost 0, there twice 0, refused 0, unanswered 0`)
        }
        assert.include(output, "nodes have 0 other connections to it")
        assert.match(output, /messages that only the old primary has: \d+; of these answered: 0\n/)
        assert.match(output, /missed for \d+\.\d seconds\npassed\n$/)
        assert.strictEqual(code, 0)
      }),
    900_000
  )

  it.live(
    `under Patroni a lost machine, a crash of the server that took over and a switchover lose nothing, and nobody acts${unlessPatroni}`,
    () =>
      Effect.gen(function* () {
        if (!hasPatroni) return
        const { code, output } = yield* drill("patroni.mjs", { PGBIN: debian15 })
        for (const step of [
          "the primary's machine is lost",
          "the remaining primary crashes and is started again",
          "the lost machine comes back",
          "moved back on purpose"
        ]) {
          assert.include(output, `${step}: lost 0, there twice 0, refused 0, unanswered 0`)
        }
        assert.match(output, /^it is on timeline [3-9], and nodes follow it$/m)
        assert.match(output, /^Patroni named it as synchronous \d+\.\d seconds after it streamed$/m)
        assert.match(output, /the doctor finds both servers well\npassed\n$/)
        assert.strictEqual(code, 0)
      }),
    900_000
  )

  it.live(
    "a promoted standby that lagged is served by no node before it is accepted, and nothing leaves twice unseen",
    () =>
      Effect.gen(function* () {
        const { code, output } = yield* drill("asynchronous.mjs")
        for (const line of [
          "the standby is promoted; nodes answer 503 and 503",
          'held: {"deliveries":5}',
          "listed: 5 of 5",
          "kept of what the standby had: 5 of 5 messages",
          "left twice unseen: 0; released by the operator: 5",
          "lost, answered after the standby's last transaction: 3 of 3 messages"
        ]) {
          assert.include(output, line)
        }
        assert.match(output, /missed for \d+\.\d seconds\npassed\n$/)
        assert.strictEqual(code, 0)
      }),
    600_000
  )

  it.live(
    `behind a proxy that repeats requests nothing with a key happens twice${unlessNginx}`,
    () =>
      Effect.gen(function* () {
        if (!hasNginx) return
        const { code, output } = yield* drill("proxy.mjs")
        for (const name of [
          "the shipped file, with keys, callers repeat",
          "a proxy that repeats, with keys",
          "the shipped file, without keys"
        ]) {
          assert.match(output, new RegExp(`${name}: 60 messages, [1-9]\\d* answers lost; .*there twice 0\n`))
        }
        assert.strictEqual(code, 0)
      }),
    600_000
  )
})
