import { Effect } from "effect"
import * as Peers from "../Peers.ts"
import { deferred, startProduct, unlogged } from "../Product.ts"
import { atLeast, costsAtMost, limit, logAddsAtMost, medianOf, notSlower, withoutLog } from "../Report.ts"
import { alternate } from "../Rounds.ts"
import { customer, makeSenders } from "../Senders.ts"
import { sendsOf } from "../Sends.ts"
import { acceptedRows, storing } from "./Accept.ts"
import type { Workload } from "./Workload.ts"

/** Accepting sends of many tenants in turn: hardly two requests of a moment belong to one of them. */
const acceptSpread = (tenants: number, factor: number, logBytes: number, mostMs?: number): Workload => ({
  name: `accept-${tenants}`,
  about: `POST /v1/messages of ${tenants} environments in turn, each from a number of its own, 64 connections, one process; the peer serves as many keys.`,
  needs: ["wrk"],
  run: Effect.gen(function* () {
    const product = yield* startProduct({ name: `accept_${tenants}`, env: deferred })
    const plain = yield* startProduct({ name: `accept_${tenants}_unlogged`, env: { ...deferred, ...unlogged } })
    const senders = yield* makeSenders(product, tenants)
    const plainSenders = yield* makeSenders(plain, tenants)
    const peer = yield* Peers.fastify
    const callers = yield* peer.callers(tenants)
    const sides = yield* alternate([
      { name: "carteiro", round: storing(product.url, product, sendsOf(senders, customer), acceptedRows) },
      {
        name: "fastify",
        round: storing(
          peer.url,
          { pids: () => [peer.pid], database: peer.database },
          sendsOf(callers, customer),
          "select count(*) from peer.msgs"
        )
      },
      {
        name: withoutLog,
        round: storing(plain.url, plain, sendsOf(plainSenders, customer), acceptedRows)
      }
    ])
    const statements = medianOf(sides[0], "statements")
    return {
      unit: "requests",
      sides,
      bars: [
        atLeast(sides, "fastify", factor),
        notSlower(sides, "fastify"),
        ...(mostMs === undefined ? [] : [costsAtMost(sides, mostMs)]),
        ...logAddsAtMost(sides, logBytes),
        limit("at most 0.5 SQL statements a message", statements, (value) => value <= 0.5, 3)
      ],
      facts: []
    }
  })
})

/** Sixty-four tenants fill no batch of their own. */
export const acceptOf64 = acceptSpread(64, 2.7, 702, 0.18)

/** A thousand quiet tenants. */
export const acceptOf1000 = acceptSpread(1000, 2.3, 1974)
