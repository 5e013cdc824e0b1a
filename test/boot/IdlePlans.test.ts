import { readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import * as EmbeddedPostgres from "@carteiro/runtime/boot/EmbeddedPostgres.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { debianServer, hasDebianServer } from "../support/DebianServer.ts"
import { clusterOf } from "../support/EmbeddedServer.ts"
import { dataFolder } from "../support/RunFolder.ts"
import { startedNode } from "../support/StartedNode.ts"
import { until } from "../support/Until.ts"

/** PostgreSQL's own default of `jit_above_cost`, from which on it compiles a plan. */
const jitAboveCost = 100_000
/** Rounds of the statement that a node runs most often, by whose end all other rounds of its first seconds have come. */
const rounds = 20

const settings = [
  "fsync=off",
  "shared_preload_libraries=auto_explain",
  "auto_explain.log_min_duration=0",
  "auto_explain.log_format=json",
  "log_line_prefix=@%a@"
]

interface LoggedPlan {
  readonly "Query Text": string
  readonly Plan: { readonly "Total Cost": number }
  readonly JIT?: unknown
}

const folder = (prefix: string) =>
  Effect.acquireRelease(
    Effect.sync(() => dataFolder(prefix)),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )

/** Returns the plans in a server's log that serving sessions of a node ran. */
const plansOf = (log: string): ReadonlyArray<LoggedPlan> =>
  [...log.matchAll(/@carteiro-(?:all|locks)@LOG: {2}duration: \S+ ms {2}plan:\n((?:\t.*\n)+)/g)].map(([, plan = ""]) =>
    JSON.parse(plan)
  )

/** Starts a node over the server and looks at the plans of its first seconds. */
const assertCheap = Effect.fnUntraced(function* ({ log, url }: { readonly log: string; readonly url: string }) {
  yield* startedNode({ DATABASE_URL: url, CARTEIRO_DATA_DIR: yield* folder("carteiro-plans-"), PORT: "0" })
  const plans = () => plansOf(readFileSync(log, "utf8"))
  const looks = () => plans().filter((plan) => plan["Query Text"].includes("from runner_sessions s where not exists"))
  yield* until(Effect.sync(() => looks().length >= rounds))
  const told = plans()
  assert.isAbove(new Set(told.map((plan) => plan["Query Text"])).size, 50)
  for (const plan of told) {
    assert.isBelow(plan.Plan["Total Cost"], jitAboveCost, plan["Query Text"])
    assert.isUndefined(plan.JIT, plan["Query Text"])
    // From version 18 on a forbidden scan costs nothing and is named instead.
    assert.notInclude(JSON.stringify(plan), '"Disabled":true', plan["Query Text"])
  }
})

describe("no statement of an idle node is dear enough to be compiled, because each has an index or is free to scan", () => {
  it.live(
    "on the embedded PostgreSQL",
    () =>
      Effect.gen(function* () {
        const server = yield* folder("carteiro-plans-")
        const database = yield* EmbeddedPostgres.acquire({ dataDir: server, settings })
        yield* Effect.addFinalizer(() =>
          Effect.sync(() => rmSync(join(clusterOf(server), ".."), { recursive: true, force: true }))
        )
        yield* assertCheap(database)
      }).pipe(Effect.scoped),
    240_000
  )

  for (const major of ["15", "16", "17"]) {
    const unless = hasDebianServer(major) ? "" : ` (not run: Debian's postgresql-${major} is missing)`
    it.live(
      `on PostgreSQL ${major}, which counts a forbidden scan as dear${unless}`,
      () =>
        Effect.gen(function* () {
          if (unless !== "") return
          yield* assertCheap(yield* debianServer(major, settings))
        }).pipe(Effect.scoped),
      240_000
    )
  }
})
