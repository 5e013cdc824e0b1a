import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { NodeRuntime } from "@effect/platform-node"
import { Effect, Exit } from "effect"
import { readArguments, usageOf } from "./Arguments.ts"
import { Bench } from "./Bench.ts"
import { BenchFailure } from "./BenchFailure.ts"
import { committedRate, readDocument, writeDocument } from "./Document.ts"
import { headOf, installHint, loadBefore, missingPrograms, runLine } from "./Machine.ts"
import { startPostgres, temporaryFolder } from "./Postgres.ts"
import { hottest } from "./Profile.ts"
import { type Finding, missesOf, printed } from "./Report.ts"
import { acceptKeyed, acceptPlain } from "./workloads/Accept.ts"
import { acceptMarketing } from "./workloads/AcceptMarketing.ts"
import { acceptOf64, acceptOf1000 } from "./workloads/AcceptSpread.ts"
import { acceptToPosted } from "./workloads/AcceptToPosted.ts"
import { acceptToRead } from "./workloads/AcceptToRead.ts"
import { admit } from "./workloads/Admit.ts"
import { batchOf10k } from "./workloads/BatchOfTenThousand.ts"
import { cliStart } from "./workloads/CliStart.ts"
import { contactImport } from "./workloads/ContactImport.ts"
import { failover } from "./workloads/Failover.ts"
import { freeze } from "./workloads/Freeze.ts"
import { growth } from "./workloads/Growth.ts"
import { ledgerHot, ledgerSpread } from "./workloads/LedgerMoves.ts"
import { ledgerVerify } from "./workloads/LedgerVerify.ts"
import { letGo } from "./workloads/LetGo.ts"
import { listenFanOut } from "./workloads/ListenFanOut.ts"
import { mediaUpload } from "./workloads/MediaUpload.ts"
import { noisyNeighbour } from "./workloads/NoisyNeighbour.ts"
import { pages } from "./workloads/Pages.ts"
import { productionPayments, sandboxPayments } from "./workloads/PaymentLinks.ts"
import { productionSends } from "./workloads/ProductionSends.ts"
import { listPage, readOne } from "./workloads/Reads.ts"
import { remoteAccept } from "./workloads/RemoteAccept.ts"
import { replay } from "./workloads/Replay.ts"
import { requestLog } from "./workloads/RequestLog.ts"
import { residentMemory } from "./workloads/Residents.ts"
import { restart } from "./workloads/Restart.ts"
import { retention } from "./workloads/Retention.ts"
import { scale } from "./workloads/Scale.ts"
import { sdk } from "./workloads/Sdk.ts"
import { shares } from "./workloads/Shares.ts"
import { start } from "./workloads/Start.ts"
import { traces } from "./workloads/Traces.ts"
import { turnedClock } from "./workloads/TurnedClock.ts"
import { webhookDrain } from "./workloads/WebhookDrain.ts"
import type { Workload } from "./workloads/Workload.ts"

const workloads: ReadonlyArray<Workload> = [
  acceptPlain,
  acceptKeyed,
  acceptOf64,
  acceptOf1000,
  acceptMarketing,
  acceptToRead,
  acceptToPosted,
  noisyNeighbour,
  turnedClock,
  shares,
  batchOf10k,
  replay,
  readOne,
  listPage,
  admit,
  contactImport,
  mediaUpload,
  webhookDrain,
  productionSends,
  sandboxPayments,
  productionPayments,
  ledgerVerify,
  ledgerHot,
  ledgerSpread,
  listenFanOut,
  remoteAccept,
  failover,
  freeze,
  restart,
  traces,
  requestLog,
  growth,
  pages,
  residentMemory,
  letGo,
  scale,
  retention,
  start,
  sdk,
  cliStart
]

const root = fileURLToPath(new URL("../..", import.meta.url))
const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** Runs one workload in a scope of its own; one without numbers is told of and does not stop the others. */
const findingOf = (workload: Workload): Effect.Effect<Finding | undefined, never, Bench> =>
  Effect.gen(function* () {
    print(`${workload.name}: ${workload.about}`)
    const found = yield* Effect.scoped(workload.run)
    return { name: workload.name, about: workload.about, ...found }
  }).pipe(
    Effect.catchTag("BenchFailure", ({ message }) =>
      Effect.sync(() => {
        print(`  FAILED ${message}`)
        return undefined
      })
    )
  )

const showProfile = (folder: string): void => {
  for (const name of existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith("profile-")) : []) {
    print(`\n${name}`)
    const { functions, parts } = hottest(join(folder, name))
    for (const { name, share } of [...parts.slice(0, 25), ...functions.slice(0, 35)]) {
      print(`  ${(share * 100).toFixed(1).padStart(5)}%  ${name}`)
    }
  }
}

const program = Effect.gen(function* () {
  const usage = usageOf(workloads)
  const { check, help, names, options, write } = yield* Effect.try({
    try: () =>
      readArguments(
        process.argv.slice(2),
        workloads.map(({ name }) => name)
      ),
    catch: (error) => new BenchFailure({ message: `${error instanceof Error ? error.message : error}\n\n${usage}` })
  })
  if (help) return print(usage)
  const chosen = workloads.filter(({ name }) => names.includes(name))
  const missing = missingPrograms(chosen.flatMap(({ needs }) => needs))
  if (missing.length > 0) return yield* new BenchFailure({ message: installHint(missing) })
  const { busy, load } = loadBefore()
  if (busy) print(`The machine is busy (load ${load.toFixed(1)}): expect the ratios to wobble.`)
  const postgres = yield* startPostgres()
  const folder = yield* temporaryFolder("run")
  const bench = Bench.of({ options, postgres, folder, root, say: print })
  const findings = yield* Effect.provideService(Effect.forEach(chosen, findingOf), Bench, bench)
  const found = findings.filter((finding) => finding !== undefined)
  const committed = readDocument(root)
  for (const finding of found) {
    print(`\n${printed(finding, (side) => committedRate(committed, finding.name, side))}`)
  }
  if (options.profile) showProfile(folder)
  if (write) {
    const about = { head: headOf(postgres, options), run: runLine(root, options, load) }
    const order = workloads.map(({ name }) => name)
    writeDocument(root, order, found, about)
  }
  if (found.length < chosen.length) {
    const failed = chosen.filter((_, at) => findings[at] === undefined).map(({ name }) => name)
    return yield* new BenchFailure({ message: `no numbers for ${failed.join(", ")}` })
  }
  const misses = missesOf(found)
  if (check && misses.length > 0) return yield* new BenchFailure({ message: `missed:\n  ${misses.join("\n  ")}` })
})

const told = Effect.tapError(Effect.scoped(program), ({ message }) =>
  Effect.sync(() => process.stderr.write(`${message}\n`))
)

NodeRuntime.runMain(told, {
  disableErrorReporting: true,
  teardown: (exit, onExit) => onExit(Exit.isFailure(exit) ? 1 : 0)
})
