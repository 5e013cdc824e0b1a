import { Effect } from "effect"
import { Bench } from "../Bench.ts"
import { BenchFailure } from "../BenchFailure.ts"
import * as Peers from "../Peers.ts"
import type { Database } from "../Postgres.ts"
import { deferred, type Product, startProduct } from "../Product.ts"
import { atLeast, costsAtMost } from "../Report.ts"
import { alternate, type Cost, charged, type Sample } from "../Rounds.ts"
import { inbound } from "../Sends.ts"
import type { Workload } from "./Workload.ts"

const endpoints = 4
const deliveries = 10_000
const limitMillis = 120_000
const lookMillis = 20

type Receiver = Effect.Success<typeof Peers.receiver>

/** Stored events until every endpoint has every one of them, and the last attempt is recorded. */
export const webhookDrain: Workload = {
  name: "webhook-drain",
  about: `${deliveries} stored deliveries of ${deliveries / endpoints} events to ${endpoints} endpoints of one local receiver: signed, posted over kept connections, each attempt recorded in PostgreSQL.`,
  needs: ["redis-server"],
  run: Effect.gen(function* () {
    const receiver = yield* Peers.receiver
    const product = yield* startProduct({
      name: "webhook-drain",
      env: { ...deferred, CARTEIRO_WEBHOOK_TARGET_ALLOWLIST: receiver.url }
    })
    for (let n = 0; n < endpoints; n++) {
      const body = { url: `${receiver.url}/hook/${n}`, subscribed_events: ["message.received"] }
      yield* product.sandbox.post("/v1/webhook-endpoints", body)
    }
    const graphile = yield* Peers.graphileWorker(receiver.url)
    const bullMq = yield* Peers.bullMq(receiver.url)
    const sides = yield* alternate([
      { name: "carteiro", round: productRound(receiver, product) },
      { name: "graphile-worker", round: peerRound(receiver, graphile) },
      { name: "bullmq", round: peerRound(receiver, bullMq) }
    ])
    return {
      unit: "deliveries",
      sides,
      bars: [atLeast(sides, "graphile-worker", 8), atLeast(sides, "bullmq", 4), costsAtMost(sides, 0.13)],
      facts: [
        "BullMQ keeps its queue in Redis, which flushes once a second: less than the others promise.",
        `At most 10 attempts of an endpoint are on the wire together, so ${endpoints * 10} in all; the peers run 64.`
      ]
    }
  })
}

// Answers are held while the events are made, so that what is measured is the drain alone.
const productRound = Effect.fnUntraced(function* (receiver: Receiver, product: Product) {
  const { database } = product
  const recorded = "select count(*) from webhook_attempts where status = 'succeeded'"
  const before = yield* database.count(recorded)
  yield* receiver.control("/reset")
  yield* receiver.control("/hold")
  yield* Effect.forEach(
    Array.from({ length: deliveries / endpoints }, (_, n) => n),
    (n) => inbound(product, n),
    { concurrency: 64, discard: true }
  )
  return yield* drained(receiver, product, receiver.control("/release"), database, recorded, before)
})

type QueuePeer = Effect.Success<ReturnType<typeof Peers.graphileWorker | typeof Peers.bullMq>>

export const peerRound = Effect.fnUntraced(function* (receiver: Receiver, peer: QueuePeer) {
  yield* peer.tell(`fill ${deliveries}`)
  yield* receiver.control("/reset")
  const cost = { pids: () => [peer.pid, ...peer.extra], database: peer.database }
  return yield* drained(receiver, cost, peer.tell("go"), peer.database, "select count(*) from peer.attempts", 0)
})

/** Opens the gate and waits for the last record; the time runs from the first delivery, or the gate when it held some. */
const drained = Effect.fnUntraced(function* <A, E>(
  receiver: Receiver,
  cost: Cost,
  gate: Effect.Effect<A, E>,
  database: Database,
  recorded: string,
  before: number
) {
  const { say } = yield* Bench
  let looks = 0
  let endedAt = 0
  const work = Effect.gen(function* () {
    const started = performance.now()
    yield* gate
    // The receiver is asked first: looking at the table is work for the server that is being measured.
    while ((yield* receiver.control("/stats")).distinct < deliveries) {
      if (performance.now() - started > limitMillis) break
      yield* Effect.sleep(lookMillis)
    }
    do {
      looks++
      endedAt = Date.now()
      if ((yield* database.count(recorded)) - before >= deliveries) break
      yield* Effect.sleep(lookMillis)
    } while (performance.now() - started < limitMillis)
  })
  const { result: _, statements, ...spent } = yield* charged(cost, work, () => deliveries)
  const stats = yield* receiver.control("/stats")
  const rows = (yield* database.count(recorded)) - before
  if (stats.distinct !== deliveries || rows !== deliveries) {
    const message = `${stats.distinct} of ${deliveries} deliveries arrived, ${rows} are recorded`
    return yield* new BenchFailure({ message })
  }
  if (stats.deliveries !== deliveries) say(`  ${stats.deliveries - deliveries} deliveries came twice`)
  const sample: Sample = {
    perSecond: deliveries / ((endedAt - stats.firstAt) / 1000),
    ...spent,
    statements: (statements ?? 0) - looks / deliveries
  }
  return sample
})
