import { execFile, spawnSync } from "node:child_process"
import { existsSync, globSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { withoutSettings } from "../support/Program.ts"

const drill = (name: string) =>
  Effect.callback<{ readonly code: number; readonly output: string }>((resume) => {
    const program = fileURLToPath(new URL(`../../deploy/drills/${name}`, import.meta.url))
    const child = execFile(process.execPath, [program], { env: withoutSettings() }, (error, stdout, stderr) =>
      resume(Effect.succeed({ code: error === null ? 0 : Number(error.code), output: `${stdout}${stderr}` }))
    )
    return Effect.sync(() => void child.kill("SIGTERM"))
  })

const isInstalled = existsSync("/usr/lib/postgresql")
const unless = isInstalled ? "" : " (not run: Debian's postgresql is missing)"

const isRoot = process.getuid?.() === 0
const unlessRoot = isRoot ? "" : " (not run: only root mounts a small disk)"
const hasFaketime = globSync("/usr/lib/*/faketime/libfaketimeMT.so.1").length > 0
const unlessFaketime = hasFaketime ? "" : " (not run: Debian's faketime is missing)"

const hasNginx = spawnSync("nginx", ["-v"]).status === 0
const unlessNginx = hasNginx ? "" : " (not run: nginx is missing)"

describe("The drills of an operator", () => {
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
    "update from the previous release and back, node by node under load, and no call fails",
    () =>
      Effect.gen(function* () {
        const { code, output } = yield* drill("upgrade.mjs")
        assert.match(output, /^from 0\.1\.0 to this release: \d+ calls, of them failed: 0$/m)
        assert.match(output, /^back to 0\.1\.0, on the schema of this release: \d+ calls, of them failed: 0$/m)
        for (const line of [
          "of them not delivered at the end: 0",
          "messages of production that the platform did not take exactly once: 0",
          "messages whose delivery no webhook told: 0"
        ]) {
          assert.include(output, line)
        }
        assert.match(output, /passed\n$/)
        assert.strictEqual(code, 0)
      }),
    600_000
  )

  it.live(
    "change the master key, the nodes' certificates and the vendors' secrets under load, and no call fails",
    () =>
      Effect.gen(function* () {
        const { code, output } = yield* drill("rotation.mjs")
        for (const round of [1, 2, 3]) {
          assert.match(output, new RegExp(`^round ${round}, .*: \\d+ calls, of them failed: 0$`, "m"))
        }
        assert.match(output, /^calls of vendors: \d+, of them refused: 0$/m)
        assert.include(output, "vendors' calls with the old secrets are answered 401, 401, 401, 401")
        assert.include(output, "a shard believes a certificate of the new authority: true, of the old one: false")
        assert.match(output, /passed\n$/)
        assert.strictEqual(code, 0)
      }),
    600_000
  )

  it.live(
    `fill the disks of files and database: callers get 503 with Retry-After, and nothing is lost${unlessRoot}`,
    () =>
      Effect.gen(function* () {
        if (!isRoot) return
        const { code, output } = yield* drill("full-disk.mjs")
        for (const line of [
          "the upload is answered 503, Retry-After 30",
          "the asset is pending, half-written files: 0",
          "with room again the same upload is answered 200, and the asset is ready",
          "refused messages that are accepted when they are sent again with their key: all but 0"
        ]) {
          assert.include(output, line)
        }
        assert.match(output, /^answered 503 with Retry-After: \d+, anything else: 0$/m)
        assert.match(output, /^accepted messages that are lost or not delivered: 0 of \d+$/m)
        assert.match(output, /missed for \d+\.\d seconds after there was room\npassed\n$/)
        assert.strictEqual(code, 0)
      }),
    600_000
  )

  it.live(
    `turn the clocks of a node's machine and of the database's, and no instant is off${unlessFaketime}`,
    () =>
      Effect.gen(function* () {
        if (!hasFaketime) return
        const { code, output } = yield* drill("clock.mjs")
        assert.match(output, /^the clocks of a shard and the edge jump .*: \d+ messages accepted, 0 after a repeat/m)
        assert.match(output, /^the database's clock jumps .*: \d+ messages accepted/m)
        assert.match(output, /ms off the database's at the last look, exact to \d+ ms; 250 ms are allowed/)
        assert.match(output, /^all nodes follow it \d+\.\d seconds after the jump$/m)
        assert.match(output, /passed\n$/)
        assert.strictEqual(code, 0)
      }),
    600_000
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
