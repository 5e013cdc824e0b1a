import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { freePort } from "@carteiro/runtime/boot/FreePort.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { run } from "../sdk/Packed.ts"
import { withoutSettings } from "../support/Program.ts"
import { startedNode } from "../support/StartedNode.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { read, root } from "./GuideBlocks.ts"

/** Real processes, on a machine that may be busy with other files. In milliseconds. */
const patience = 600_000

it.layer(TestDatabase.layer, { excludeTestServices: true })("Testing your integration", (it) => {
  it.effect(
    "its tests and the twenty of its example pass with vitest as printed, again and again on one key",
    () =>
      Effect.gen(function* () {
        const { url } = yield* TestDatabase
        const port = yield* freePort()
        const folder = yield* Effect.acquireRelease(
          Effect.sync(() => {
            // Inside the repository, where vitest and the client are found.
            mkdirSync(join(root, ".carteiro"), { recursive: true })
            return mkdtempSync(join(root, ".carteiro/integration-"))
          }),
          (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
        )
        const node = yield* startedNode({
          DATABASE_URL: url,
          CARTEIRO_DATA_DIR: join(folder, "data"),
          CARTEIRO_WEBHOOK_TARGET_ALLOWLIST: `http://127.0.0.1:${port}`,
          PORT: "0"
        })
        writeFileSync(join(folder, "vitest.config.ts"), "export default { test: { include: ['*.test.ts'] } }\n")
        const env = {
          ...withoutSettings(),
          CARTEIRO_API_KEY: node.file.sandbox.api_key,
          CARTEIRO_API_BASE: node.file.base_url,
          PORT: String(port)
        }
        const vitest = join(root, "node_modules/vitest/vitest.mjs")
        /** Runs one file of tests; returns whether all passed, how many, and what was printed. */
        const ran = (name: string, source: string) =>
          Effect.promise(async () => {
            writeFileSync(join(folder, name), source)
            const words = [
              "run",
              name,
              "--root",
              folder,
              "--testTimeout=60000",
              "--reporter=json",
              "--outputFile=report.json"
            ]
            const options = { cwd: folder, env, timeout: 120_000 }
            const told = await run(process.execPath, [vitest, ...words, "--reporter=default"], options).then(
              ({ stdout }) => stdout,
              (error: { readonly stdout: string }) => error.stdout
            )
            const { numPassedTests, success } = JSON.parse(readFileSync(join(folder, "report.json"), "utf8"))
            return { success, numPassedTests, told }
          })
        const [, printed = ""] = /^```ts\n(.*?)^```/ms.exec(read("docs/testing-your-integration.md")) ?? []
        for (let round = 0; round < 2; round++) {
          const stories = yield* ran("clock.test.ts", printed)
          assert.deepStrictEqual([stories.success, stories.numPassedTests], [true, 3], stories.told)
          const twenty = yield* ran("time.test.ts", read("docs/examples/time.test.ts"))
          assert.deepStrictEqual([twenty.success, twenty.numPassedTests], [true, 20], twenty.told)
        }
      }).pipe(Effect.scoped),
    patience
  )
})
