import { execFile } from "node:child_process"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { gzipSync } from "node:zlib"
import { Effect } from "effect"
import { bundled } from "../../sdk/Bundled.ts"
import { Bench } from "../Bench.ts"
import { BenchFailure } from "../BenchFailure.ts"
import { temporaryFolder } from "../Postgres.ts"
import { limit, median } from "../Report.ts"
import type { Workload } from "./Workload.ts"

const run = promisify(execFile)

const failing = <A>(work: () => Promise<A>) =>
  Effect.tryPromise({ try: work, catch: (error) => new BenchFailure({ message: String(error) }) })

/** Times the import alone, in a process that has done nothing else. */
const importing = (url: string): string =>
  `const begun = performance.now(); await import(${JSON.stringify(url)}); console.log(performance.now() - begun)`

/** How much of a page or a worker the client takes, and how long a program waits for it. */
export const sdk: Workload = {
  name: "sdk",
  about: "The client SDK as it is published: one bundled file, minified and gzipped; and its import in a new process.",
  needs: [],
  run: Effect.gen(function* () {
    const { options, root, say } = yield* Bench
    const dist = join(yield* temporaryFolder("sdk"), "dist")
    yield* failing(() => run(process.execPath, [join(root, "packages/sdk/build.ts"), dist]))
    const entry = join(dist, "index.js")
    const code = yield* failing(() => bundled(entry))
    const kilobytes = gzipSync(code).length / 1000
    const times: Array<number> = []
    const program = importing(pathToFileURL(entry).href)
    for (let round = 0; round <= options.rounds; round++) {
      const { stdout } = yield* failing(() => run(process.execPath, ["--input-type=module", "-e", program]))
      // The first one reads the files from the disk.
      if (round > 0) times.push(Number(stdout))
    }
    const import_ms = median(times) ?? Number.NaN
    say(`  ${kilobytes.toFixed(1)} KB minified and gzipped, import ${import_ms.toFixed(1)} ms`)
    return {
      unit: "imports",
      sides: [],
      bars: [
        limit("below 40 KB minified and gzipped", kilobytes, (size) => size < 40, 1),
        limit("import under 15 ms", import_ms, (took) => took < 15, 1)
      ],
      facts: [
        `${(code.length / 1000).toFixed(1)} KB minified, ${kilobytes.toFixed(1)} KB gzipped`,
        `import ${import_ms.toFixed(1)} ms (${Math.min(...times).toFixed(1)}..${Math.max(...times).toFixed(1)})`
      ]
    }
  })
}
