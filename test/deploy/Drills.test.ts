import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
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
})
