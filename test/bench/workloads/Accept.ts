import { Effect } from "effect"
import { BenchFailure } from "../BenchFailure.ts"
import * as Peers from "../Peers.ts"
import type { Database } from "../Postgres.ts"
import { deferred, type Product, startProduct, unlogged } from "../Product.ts"
import { atLeast, costsAtMost, limit, logAddsAtMost, medianOf, notSlower, withoutLog } from "../Report.ts"
import { alternate, type Cost, httpRound } from "../Rounds.ts"
import { openWindows, senderOf, sends } from "../Sends.ts"
import type { Workload } from "./Workload.ts"

/** Round of sends; every answered send must be a stored row. */
export const storing = Effect.fnUntraced(function* (
  url: string,
  cost: Cost & { readonly database: Database },
  requests: ReturnType<typeof sends>,
  stored: string
) {
  const before = yield* cost.database.count(stored)
  const { loaded, sample } = yield* httpRound(cost, url, requests)
  const rows = (yield* cost.database.count(stored)) - before
  if (rows < loaded.requests) {
    return yield* new BenchFailure({ message: `${url}: ${loaded.requests} sends answered, ${rows} stored` })
  }
  return sample
})

/** Messages the product has taken from its callers. */
export const acceptedRows = "select count(*) from messages where direction = 'outbound'"

/** Rounds of sends to the customers of the demo organization, whose service windows are open. */
const accepting = Effect.fnUntraced(function* (product: Product, keyed: boolean) {
  const sender = yield* senderOf(product)
  yield* openWindows(product)
  return storing(product.url, product, sends(product.dev.sandbox.api_key, sender, keyed), acceptedRows)
})

const accept = (keyed: boolean): Workload => ({
  name: keyed ? "accept-key" : "accept",
  about: `POST /v1/messages${keyed ? " with a fresh Idempotency-Key each" : ""}, 64 connections, distinct recipients, open service windows, status simulation deferred.`,
  needs: ["wrk"],
  run: Effect.gen(function* () {
    const name = keyed ? "accept-key" : "accept"
    const product = yield* startProduct({ name, env: deferred })
    const plain = yield* startProduct({ name: `${name}-unlogged`, env: { ...deferred, ...unlogged } })
    const peer = yield* Peers.fastify
    const floor = yield* Peers.floor
    const sides = yield* alternate([
      { name: "carteiro", round: yield* accepting(product, keyed) },
      {
        name: "fastify",
        round: storing(
          peer.url,
          { pids: () => [peer.pid], database: peer.database },
          sends(peer.key, peer.sender, keyed),
          "select count(*) from peer.msgs"
        )
      },
      {
        name: "floor",
        round: Effect.map(
          httpRound({ pids: () => [floor.pid] }, floor.url, sends("none", "pn_1", keyed)),
          ({ sample }) => sample
        )
      },
      { name: withoutLog, round: yield* accepting(plain, keyed) }
    ])
    const statements = medianOf(sides[0], "statements")
    return {
      unit: "requests",
      sides,
      bars: [
        atLeast(sides, "fastify", keyed ? 3 : 3.3),
        notSlower(sides, "fastify"),
        ...(keyed ? [] : [costsAtMost(sides, 0.13)]),
        ...logAddsAtMost(sides, keyed ? 795 : 430),
        limit("at most 0.2 SQL statements a message", statements, (value) => value <= 0.2, 3)
      ],
      facts: []
    }
  })
})

/** Accepting a send. */
export const acceptPlain = accept(false)

/** Accepting a send that may be repeated. */
export const acceptKeyed = accept(true)
