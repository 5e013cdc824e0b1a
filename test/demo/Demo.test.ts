import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { withoutSettings } from "../support/Program.ts"

const program = fileURLToPath(new URL("../../packages/demo/main.ts", import.meta.url))

const run = (args: ReadonlyArray<string>) =>
  Effect.callback<{ readonly code: number | null; readonly output: string }>((resume) => {
    let output = ""
    const child = spawn(process.execPath, [program, ...args], {
      env: withoutSettings(),
      stdio: ["ignore", "pipe", "pipe"]
    })
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        output += chunk.toString()
      })
    }
    child.once("close", (code) => resume(Effect.succeed({ code, output })))
    return Effect.sync(() => child.kill("SIGTERM"))
  })

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "demo-test-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

describe("npm run demo", () => {
  it.live(
    "loses no message while a shard is killed, one is added, one is frozen and the receiver breaks",
    () =>
      Effect.gen(function* () {
        const cast = join(yield* folder, "demo.cast")
        const { code, output } = yield* run([
          "--play",
          "--speed",
          "3",
          "--rate",
          "10",
          "--tenants",
          "2",
          "--record",
          cast
        ])
        assert.match(output, /accepted [1-9]\d*, failed 0, delivered to the receiver [1-9]\d*, lost 0/)
        assert.strictEqual(code, 0)
        const [header = "", ...events] = readFileSync(cast, "utf8").trim().split("\n")
        assert.strictEqual((JSON.parse(header) as { readonly version: number }).version, 2)
        const shown = events.map((event) => (JSON.parse(event) as [number, "o", string])[2]).join("\n")
        for (const line of [
          "shard 2 was killed",
          "shard 4 is ready",
          "shard 1 is frozen",
          "the receiver answers 500"
        ]) {
          assert.include(shown, line)
        }
      }),
    300_000
  )

  it.live("refuses to start without a terminal, and an option that it does not know", () =>
    Effect.gen(function* () {
      const blind = yield* run([])
      assert.deepStrictEqual(
        [blind.code, blind.output],
        [1, "npm run demo needs a terminal for its keys; --play runs without one\n"]
      )
      const odd = yield* run(["--shards", "none", "--play"])
      assert.deepStrictEqual([odd.code, odd.output], [1, '--shards: expected a number from 1 to 8, not "none"\n'])
    })
  )
})
