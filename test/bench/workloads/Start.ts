import { join } from "node:path"
import { freePort } from "@carteiro/runtime/boot/FreePort.ts"
import { nodeFlags } from "@carteiro/runtime/boot/NodeProcess.ts"
import { Effect } from "effect"
import { Bench } from "../Bench.ts"
import { temporaryFolder } from "../Postgres.ts"
import { residentBytes, run } from "../Processes.ts"
import { limit, median } from "../Report.ts"
import type { Workload } from "./Workload.ts"

const idleMillis = 5_000
const megabyte = 1024 * 1024

/** What a newcomer waits for: the first start, with the embedded PostgreSQL being set up, and every start after it. */
export const start: Workload = {
  name: "start",
  about:
    "From the start of the process to `ready`: in an empty data directory (first) and in the one it left (again), with the embedded PostgreSQL; memory of the process 5 s after `ready`, without PostgreSQL.",
  needs: [],
  run: Effect.gen(function* () {
    const { options, say } = yield* Bench
    const first: Array<number> = []
    const again: Array<number> = []
    const memory: Array<number> = []
    for (let round = 1; round <= options.rounds; round++) {
      const dataDir = yield* temporaryFolder("start")
      const cold = yield* Effect.scoped(once(dataDir))
      const warm = yield* Effect.scoped(once(dataDir))
      first.push(cold.seconds)
      again.push(warm.seconds)
      memory.push(cold.megabytes)
      say(
        `  round ${round}  first ${cold.seconds.toFixed(2)} s, again ${warm.seconds.toFixed(2)} s, ${cold.megabytes.toFixed(0)} MB`
      )
    }
    return {
      unit: "starts",
      sides: [],
      bars: [
        limit("first start under 5 s", median(first), (seconds) => seconds < 5, 2),
        limit("idle process under 120 MB", median(memory), (megabytes) => megabytes < 120)
      ],
      facts: [
        `first start ${spread(first, 2)} s`,
        `later start ${spread(again, 2)} s`,
        `idle memory of the process ${spread(memory, 0)} MB`
      ]
    }
  })
}

const spread = (values: ReadonlyArray<number>, digits: number): string =>
  `${(median(values) ?? 0).toFixed(digits)} (${Math.min(...values).toFixed(digits)}..${Math.max(...values).toFixed(digits)})`

const once = Effect.fnUntraced(function* (dataDir: string) {
  const { root } = yield* Bench
  const running = yield* run({
    name: "carteiro (start)",
    command: process.execPath,
    arguments: [...nodeFlags, join(root, "runtime/main.ts")],
    env: { DATABASE_URL: undefined, CARTEIRO_DATA_DIR: dataDir, PORT: String(yield* freePort()), CARTEIRO_LOG: "warn" },
    ready: /^ready (http:\S+)$/m
  })
  yield* Effect.sleep(idleMillis)
  return { seconds: running.readyAfterMs / 1000, megabytes: residentBytes(running.pid) / megabyte }
})
