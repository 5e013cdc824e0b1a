import { execFile } from "node:child_process"
import { copyFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { Effect } from "effect"
import { Bench } from "../Bench.ts"
import { temporaryFolder } from "../Postgres.ts"
import { limit, median } from "../Report.ts"
import type { Workload } from "./Workload.ts"

const runs = 15
const millisBar = 150

/** How long an integrator waits for the shortest command, each time. */
export const cliStart: Workload = {
  name: "cli-start",
  about: `carteiro --version from the start of the process to its end, ${runs} times a round: as published, and from the source as a clone runs it.`,
  needs: [],
  run: Effect.gen(function* () {
    const { options, root, say } = yield* Bench
    const user = yield* temporaryFolder("cli-start")
    yield* runOnce(join(root, "packages/cli/build.ts"), join(user, "dist"))
    yield* Effect.promise(() => copyFile(join(root, "packages/cli/carteiro.js"), join(user, "carteiro.mjs")))
    const published: Array<number> = []
    const source: Array<number> = []
    for (let round = 1; round <= options.rounds; round++) {
      for (let run = 1; run <= runs; run++) {
        published.push(yield* runOnce(join(user, "carteiro.mjs"), "--version"))
        source.push(yield* runOnce(join(root, "packages/cli/carteiro.js"), "--version"))
      }
      say(`  round ${round}  published ${median(published)?.toFixed(0)} ms, source ${median(source)?.toFixed(0)} ms`)
    }
    return {
      unit: "starts",
      sides: [],
      bars: [
        limit(`published, under ${millisBar} ms`, median(published), (value) => value < millisBar),
        limit(`from the source, under ${millisBar} ms`, median(source), (value) => value < millisBar)
      ],
      facts: []
    }
  })
}

/** Runs a program to its end and returns its milliseconds. */
const runOnce = (program: string, ...words: ReadonlyArray<string>) =>
  Effect.promise(async () => {
    const started = performance.now()
    await promisify(execFile)(process.execPath, [program, ...words])
    return performance.now() - started
  })
