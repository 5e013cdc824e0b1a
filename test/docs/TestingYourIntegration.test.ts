import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
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

/** The report of vitest as JSON, as far as it is read here. */
interface Report {
  readonly success: boolean
  readonly testResults: ReadonlyArray<{
    readonly name: string
    readonly assertionResults: ReadonlyArray<{ readonly status: string }>
  }>
}

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
        const [, printed = ""] = /^```ts\n(.*?)^```/ms.exec(read("docs/testing-your-integration.md")) ?? []
        writeFileSync(join(folder, "clock.test.ts"), printed)
        writeFileSync(join(folder, "time.test.ts"), read("docs/examples/time.test.ts"))
        // One file after the other: they turn the clock of one sandbox.
        const words = ["run", "--root", folder, "--no-file-parallelism", "--testTimeout=60000"]
        const reporters = ["--reporter=json", "--outputFile=report.json", "--reporter=default"]
        /** Runs both files; returns whether all passed, how many of each, and what was printed. */
        const ran = Effect.promise(async () => {
          const options = { cwd: folder, env, timeout: 240_000 }
          const told = await run(process.execPath, [vitest, ...words, ...reporters], options).then(
            ({ stdout }) => stdout,
            (error: { readonly stdout: string }) => error.stdout
          )
          const { success, testResults } = JSON.parse(readFileSync(join(folder, "report.json"), "utf8")) as Report
          const passed = testResults.map(({ assertionResults, name }) => [
            basename(name),
            assertionResults.filter(({ status }) => status === "passed").length
          ])
          return { success, passed: Object.fromEntries(passed), told }
        })
        for (let round = 0; round < 2; round++) {
          const { passed, success, told } = yield* ran
          assert.deepStrictEqual([success, passed], [true, { "clock.test.ts": 3, "time.test.ts": 20 }], told)
        }
      }).pipe(Effect.scoped),
    patience
  )
})
