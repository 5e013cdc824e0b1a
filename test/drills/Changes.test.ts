import { globSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { drill } from "./Drill.ts"

const isRoot = process.getuid?.() === 0
const unlessRoot = isRoot ? "" : " (not run: only root mounts a small disk)"
const hasFaketime = globSync("/usr/lib/*/faketime/libfaketimeMT.so.1").length > 0
const unlessFaketime = hasFaketime ? "" : " (not run: Debian's faketime is missing)"

describe("The drills of changes, full disks, clocks and slow machines", () => {
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
    "change the master key, the certificates of nodes and of a bank's client and the vendors' secrets under load, and no call fails",
    () =>
      Effect.gen(function* () {
        const { code, output } = yield* drill("rotation.mjs")
        for (const round of [1, 2, 3, 4]) {
          assert.match(output, new RegExp(`^round ${round}, .*: \\d+ calls, of them failed: 0$`, "m"))
        }
        assert.match(output, /^calls of vendors: \d+, of them refused: 0$/m)
        assert.match(output, /^payments at the bank: \d+, of them refused: 0$/m)
        assert.match(output, /^notices of the bank: \d+, of them refused: 0$/m)
        assert.include(output, "of them not paid at the end: 0")
        assert.include(output, "the account at the bank has another certificate and is the same: true")
        assert.include(output, "vendors' calls with the old secrets are answered 401, 401, 401, 401")
        assert.include(output, "a shard believes a certificate of the new authority: true, of the old one: false")
        for (const line of [
          "dropped too early: an API key of before is answered 401",
          "a call of before, repeated under its key, is the same where the old key is listed: true",
          "dropped too early: that call is carried out a second time: true",
          "an API key that the old master key made is answered 401"
        ]) {
          assert.include(output, line)
        }
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
    "slow a shard's machine down: its owners' callers wait, no other caller notices, and its shards stay with it",
    () =>
      Effect.gen(function* () {
        const { code, output } = yield* drill("slow-shard.mjs")
        for (const name of ["before", "slow", "frozen"]) {
          for (const whose of ["owners of the slow shard", "all others"]) {
            assert.match(output, new RegExp(`^${name}, ${whose}: \\d+ sends, median \\d+ ms, longest \\d+ ms`, "m"))
          }
          assert.include(output, `${name}: refused or unanswered: 0`)
        }
        assert.include(output, "slow: of the others repeated: 0")
        assert.include(output, "slow: it keeps the session of its locks, and no shard moves: true")
        assert.match(output, /^frozen: the server ends the session of its locks after \d+\.\d seconds$/m)
        assert.match(output, /lost, there twice or not delivered: 0 of \d+\npassed\n$/)
        assert.strictEqual(code, 0)
      }),
    600_000
  )
})
