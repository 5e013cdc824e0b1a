import { readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { runProgram } from "../support/Program.ts"
import { dataFolder } from "../support/RunFolder.ts"

const scratch = Effect.acquireRelease(
  Effect.sync(() => dataFolder("carteiro-compiled-")),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

for (const program of ["main.ts", "cli/main.ts"]) {
  it.live(`${program} keeps compiled code for its next start, and starts where no folder can be made`, () =>
    Effect.gen(function* () {
      const folder = yield* scratch
      const kept = join(folder, "kept")
      const first = yield* runProgram(program, { NODE_COMPILE_CACHE: kept }, "--help")
      assert.deepStrictEqual([first.code, first.stderr], [0, ""])
      assert.isAbove(readdirSync(kept, { recursive: true }).length, 100, "hundreds of modules print the help")
      assert.deepStrictEqual(yield* runProgram(program, { NODE_COMPILE_CACHE: kept }, "--help"), first)
      const file = join(folder, "file")
      writeFileSync(file, "")
      const nowhere = { NODE_COMPILE_CACHE: join(file, "kept") }
      assert.deepStrictEqual(yield* runProgram(program, nowhere, "--help"), first)
    }).pipe(Effect.scoped)
  )
}
