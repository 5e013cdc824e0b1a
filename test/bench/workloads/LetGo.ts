import { randomBytes } from "node:crypto"
import { Ids } from "@carteiro/owners/Ids.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { Effect, Layer, Redacted } from "effect"
import { Bench } from "../Bench.ts"
import { BenchFailure } from "../BenchFailure.ts"
import { deferred, ownersIn, startProduct } from "../Product.ts"
import { limit, median } from "../Report.ts"
import { environmentWakings, wake } from "../Waking.ts"
import type { Workload } from "./Workload.ts"

const residents = 50_000
const barMs = 10_000

/** How long a node that loses its shards holds on to a great many owners. */
export const letGo: Workload = {
  name: "let-go",
  about: `A shard with ${residents} environments in memory loses its lock session; until all owners have left its memory and one of them answers again.`,
  needs: [],
  run: Effect.gen(function* () {
    const { options, say } = yield* Bench
    const found: Array<number> = []
    for (let round = 1; round <= options.rounds; round++) {
      const { answered, left } = yield* Effect.scoped(losing(`let_go_${round}`))
      found.push(left)
      say(`  round ${round}  let go after ${Math.round(left)} ms, answered after ${Math.round(answered)} ms`)
    }
    return {
      unit: "owners",
      sides: [],
      bars: [limit(`lets ${residents} owners go within ${barMs} ms`, median(found), (ms) => ms <= barMs)],
      facts: []
    }
  })
}

const losing = Effect.fnUntraced(function* (name: string) {
  const master = randomBytes(32)
  const product = yield* startProduct({
    name,
    env: { ...deferred, CARTEIRO_MASTER_KEY: master.toString("hex") },
    cluster: { shards: 1, edges: 1 }
  })
  const shard = product.nodes().find(({ role }) => role === "shard")
  if (shard === undefined) return yield* new BenchFailure({ message: "the cluster named no shard" })
  const context = Layer.merge(Ids.layer, Secrets.layer(Redacted.make([master])))
  const wakings = yield* Effect.provide(environmentWakings(product, residents), context)
  yield* wake(product.url, wakings)
  const started = performance.now()
  yield* product.database.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'carteiro-locks'"
  )
  const owners = ownersIn(shard, ["Environment"])
  while ((yield* Effect.orElseSucceed(owners, () => residents)) > residents / 100) yield* Effect.sleep("20 millis")
  const left = performance.now() - started
  yield* wake(product.url, wakings.slice(0, 1))
  return { left, answered: performance.now() - started }
})
