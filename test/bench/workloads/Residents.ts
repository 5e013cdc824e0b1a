import { randomBytes } from "node:crypto"
import { Ids } from "@carteiro/owners/Ids.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { Effect, Layer, Redacted } from "effect"
import { Bench } from "../Bench.ts"
import { BenchFailure } from "../BenchFailure.ts"
import { heapOf, inspectable } from "../Heap.ts"
import * as Population from "../Population.ts"
import { deferred, ownersIn, type Product, startProduct } from "../Product.ts"
import { limit } from "../Report.ts"
import { rest } from "../Rounds.ts"
import { recipient, sendBody } from "../Sends.ts"
import { environmentWakings, type Waking, wake } from "../Waking.ts"
import type { Workload } from "./Workload.ts"

const residents = 50_000
/** Called first and not counted: what a process makes once is made. */
const warming = 1_000
const barBytes = 20 * 1024

/** Owners of one type and what wakes each of them. */
interface Kind<R> {
  readonly name: string
  readonly wakings: (product: Product, count: number) => Effect.Effect<ReadonlyArray<Waking>, BenchFailure, R>
}

const kinds: ReadonlyArray<Kind<Ids | Secrets>> = [
  {
    name: "Environment",
    wakings: environmentWakings
  },
  {
    name: "PhoneNumber",
    wakings: (product, count) =>
      Effect.map(Population.numbers(product, count), (ids) =>
        ids.map((id) => ({
          method: "POST",
          path: "/v1/messages",
          key: product.dev.sandbox.api_key,
          // Nobody wrote to these numbers: their owners answer that the service window is closed.
          body: sendBody(id, recipient(1)),
          status: 400
        }))
      )
  },
  {
    name: "WebhookEndpoint",
    wakings: (product, count) =>
      Effect.map(Population.endpoints(product, count), (ids) =>
        ids.map((id) => ({
          method: "PATCH",
          path: `/v1/webhook-endpoints/${id}`,
          key: product.dev.sandbox.api_key,
          body: '{"status":"active"}',
          status: 200
        }))
      )
  }
]

/** What an owner costs while nothing is asked of it. */
export const residentMemory: Workload = {
  name: "residents",
  about: `Heap of a shard process after a full collection with ${residents} more owners of one type in memory, each woken by one request, divided by their number.`,
  needs: [],
  run: Effect.gen(function* () {
    const { say } = yield* Bench
    const found: Array<{ readonly name: string; readonly bytes: number }> = []
    for (const kind of kinds) {
      const bytes = yield* Effect.scoped(costOf(kind))
      say(`  ${kind.name.padEnd(16)} ${kilobytes(bytes)} KB`)
      found.push({ name: kind.name, bytes })
    }
    return {
      unit: "owners",
      sides: [],
      bars: found.map(({ bytes, name }) =>
        limit(
          `at most ${barBytes / 1024} KB of heap a resident ${name}`,
          bytes / 1024,
          (kb) => kb * 1024 <= barBytes,
          1
        )
      ),
      facts: []
    }
  })
}

const kilobytes = (bytes: number) => (bytes / 1024).toFixed(1)

const costOf = Effect.fnUntraced(function* (kind: Kind<Ids | Secrets>) {
  const master = randomBytes(32)
  const product = yield* startProduct({
    name: `residents_${kind.name.toLowerCase()}`,
    env: { ...deferred, ...inspectable, CARTEIRO_MASTER_KEY: master.toString("hex") },
    cluster: { shards: 1, edges: 1 }
  })
  const shard = product.nodes().find(({ role }) => role === "shard")
  if (shard === undefined) return yield* new BenchFailure({ message: "the cluster named no shard" })
  const context = Layer.merge(Ids.layer, Secrets.layer(Redacted.make([master])))
  const wakings = yield* Effect.provide(kind.wakings(product, warming + residents), context)
  const heap = yield* heapOf(product, shard.pid)
  yield* wake(product.url, wakings.slice(0, warming))
  const before = yield* atRest(product, heap)
  yield* wake(product.url, wakings.slice(warming))
  const after = yield* atRest(product, heap)
  const counted = yield* ownersIn(shard, [kind.name])
  // A shard that lost its locks meanwhile holds none of those it had.
  if (counted < wakings.length) {
    return yield* new BenchFailure({ message: `${counted} of ${wakings.length} owners are in memory` })
  }
  return (after - before) / residents
})

const atRest = <A, E, R>(product: Product, heap: Effect.Effect<A, E, R>) => Effect.andThen(rest(product.pids), heap)
