import { Effect } from "effect"
import { caller } from "../Api.ts"
import { quote, type Requests } from "../Load.ts"
import * as Peers from "../Peers.ts"
import { deferred, startProduct } from "../Product.ts"
import { alternate, httpRound } from "../Rounds.ts"
import { openWindows, recipient, sendBody, senderOf } from "../Sends.ts"
import type { Workload } from "./Workload.ts"

const keys = 1_000
const keyOf = (n: number) => `replayed-${n}`

const replays = (apiKey: string, sender: string): Requests => ({
  method: "POST",
  headers: { Authorization: `Bearer ${apiKey}` },
  path: '"/v1/messages"',
  setup: `local body = ${quote(sendBody(sender, recipient(0)))}`,
  body: "body",
  idempotencyKey: `"replayed-" .. (n % ${keys})`
})

/** Repeating a send whose answer is stored. */
export const replay: Workload = {
  name: "replay",
  about: `POST /v1/messages again with ${keys} keys whose answers are stored, 64 connections.`,
  needs: ["wrk"],
  run: Effect.gen(function* () {
    const product = yield* startProduct({ name: "replay", env: deferred })
    const sender = yield* senderOf(product)
    yield* openWindows(product, 1)
    const peer = yield* Peers.fastify
    const peerCaller = yield* caller(peer.url, peer.key)
    for (const [call, from] of [
      [product.sandbox, sender],
      [peerCaller, peer.sender]
    ] as const) {
      yield* Effect.forEach(
        Array.from({ length: keys }, (_, n) => keyOf(n)),
        (key) => call.post("/v1/messages", JSON.parse(sendBody(from, recipient(0))), key),
        { concurrency: 64, discard: true }
      )
    }
    const sides = yield* alternate([
      {
        name: "carteiro",
        round: Effect.map(httpRound(product, product.url, replays(product.dev.sandbox.api_key, sender)), sampleOf)
      },
      {
        name: "fastify",
        round: Effect.map(
          httpRound({ pids: () => [peer.pid], database: peer.database }, peer.url, replays(peer.key, peer.sender)),
          sampleOf
        )
      }
    ])
    return { unit: "requests", sides, bars: [], facts: [] }
  })
}

const sampleOf = <A>({ sample }: { readonly sample: A }): A => sample
