import { appendFileSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { NodeRuntime } from "@effect/platform-node"
import { Effect, Exit } from "effect"
import { Bench } from "../bench/Bench.ts"
import { BenchFailure } from "../bench/BenchFailure.ts"
import { commitOf } from "../bench/Machine.ts"
import { startPostgres } from "../bench/Postgres.ts"
import { cpuSeconds } from "../bench/Processes.ts"
import { startProduct } from "../bench/Product.ts"
import { endOf } from "./End.ts"
import { startReceiver } from "./Receiver.ts"
import { type Sample, sampleProduct, takeLatencies } from "./Sample.ts"
import { type Known, makeTenants, plan, traffic } from "./Traffic.ts"

const usage = `Usage: npm run soak -- --folder <folder> [--seconds 7000] [--every 30]

An edge and two shards over one PostgreSQL under a low, steady load. Each line of <folder>/soak.jsonl tells memory, latencies and sizes; the
last one tells whether every accepted message has ended and every event was delivered. npm run proof -- soak <file> draws it.
`

const root = fileURLToPath(new URL("../..", import.meta.url))
const print = (line: string): void => void process.stdout.write(`${new Date().toISOString()} ${line}\n`)

const readArguments = () => {
  const { values } = parseArgs({
    options: {
      folder: { type: "string" },
      seconds: { type: "string", default: "7000" },
      every: { type: "string", default: "30" },
      help: { type: "boolean", short: "h", default: false }
    }
  })
  return values
}

const program = Effect.gen(function* () {
  const { every, folder, help, seconds } = yield* Effect.try({
    try: readArguments,
    catch: (error) => new BenchFailure({ message: `${error instanceof Error ? error.message : error}\n\n${usage}` })
  })
  if (help || folder === undefined) return print(usage)
  mkdirSync(folder, { recursive: true })
  const file = join(folder, "soak.jsonl")
  const tell = (line: object) => Effect.sync(() => appendFileSync(file, `${JSON.stringify(line)}\n`))
  const postgres = yield* startPostgres()
  const options = { rounds: 1, seconds: Number(seconds), profile: false }
  const bench = Bench.of({ options, postgres, folder, root, say: print })
  const receiver = yield* startReceiver
  const product = yield* Effect.provideService(
    startProduct({
      name: "soak",
      cluster: { shards: 2, edges: 1 },
      env: { CARTEIRO_WEBHOOK_TARGET_ALLOWLIST: receiver.url, CARTEIRO_REQUEST_LOG: "on" }
    }),
    Bench,
    bench
  )
  yield* product.database.query("update phone_numbers set messaging_tier = 'tier_100k', quality_rating = 'green'")
  const tenants = yield* makeTenants(product, receiver.url)
  const known: Known = { messages: [], batches: [], answered: { accepts: [], reads: [] } }
  yield* tell({ about: { commit: commitOf(root), node: process.version, postgres: postgres.version, plan } })
  print(`running for ${seconds} s, writing to ${file}`)
  const started = performance.now()
  const elapsed = () => Math.round((performance.now() - started) / 1000)
  const sampling = Effect.gen(function* () {
    while (true) {
      yield* Effect.sleep(Number(every) * 1000)
      const sample: Sample & { readonly harnessCpuSeconds: number } = {
        at: elapsed(),
        ...takeLatencies(known.answered),
        accepted: known.messages.length,
        ended: receiver.ended(),
        received: receiver.taken(),
        ...(yield* sampleProduct(product, postgres)),
        harnessCpuSeconds: cpuSeconds(process.pid)
      }
      yield* tell(sample)
    }
  })
  yield* Effect.raceFirst(traffic(product, tenants, known), sampling).pipe(
    Effect.timeoutOption(Number(seconds) * 1000),
    Effect.asVoid
  )
  const end = yield* endOf(product, known, receiver)
  yield* tell({ end: { seconds: elapsed(), ...end } })
  print(JSON.stringify(end))
  if (end.breaches.length > 0) return yield* new BenchFailure({ message: end.breaches.join("\n") })
})

const told = Effect.tapError(Effect.scoped(program), ({ message }) =>
  Effect.sync(() => process.stderr.write(`${message}\n`))
)

NodeRuntime.runMain(told, {
  disableErrorReporting: true,
  teardown: (exit, onExit) => onExit(Exit.isFailure(exit) ? 1 : 0)
})
