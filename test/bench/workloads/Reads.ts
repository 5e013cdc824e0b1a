import { Effect } from "effect"
import { type Caller, caller } from "../Api.ts"
import { quote, type Requests } from "../Load.ts"
import * as Peers from "../Peers.ts"
import { deferred, startProduct } from "../Product.ts"
import { atLeast, notSlower } from "../Report.ts"
import { alternate, httpRound } from "../Rounds.ts"
import { openWindows, recipient, sendBody, senderOf } from "../Sends.ts"
import type { Workload } from "./Workload.ts"

const messages = 2_000
const pageSize = 20

const store = (call: Caller, sender: string) =>
  Effect.forEach(
    Array.from({ length: messages }, (_, n) => n),
    (n) =>
      Effect.map(
        call.post("/v1/messages", JSON.parse(sendBody(sender, recipient(n)))),
        (answer) => answer.body.id as string
      ),
    { concurrency: 64 }
  )

const readOneRequests = (apiKey: string, ids: ReadonlyArray<string>): Requests => ({
  method: "GET",
  headers: { Authorization: `Bearer ${apiKey}` },
  setup: `local ids = {${ids.map(quote).join(",")}}`,
  path: `"/v1/messages/" .. ids[n * 7919 % ${ids.length} + 1]`
})

const listRequests = (apiKey: string): Requests => ({
  method: "GET",
  headers: { Authorization: `Bearer ${apiKey}` },
  path: quote(`/v1/messages?limit=${pageSize}`)
})

const reads = (
  name: string,
  about: string,
  requests: (apiKey: string, ids: ReadonlyArray<string>) => Requests,
  bars: ReadonlyArray<"faster" | "p99">
): Workload => ({
  name,
  about,
  needs: ["wrk"],
  run: Effect.gen(function* () {
    const product = yield* startProduct({ name, env: deferred })
    const sender = yield* senderOf(product)
    yield* openWindows(product, messages)
    const ids = yield* store(product.sandbox, sender)
    const peer = yield* Peers.fastify
    const peerIds = yield* store(yield* caller(peer.url, peer.key), peer.sender)
    const floor = yield* Peers.floor
    const ours = requests(product.dev.sandbox.api_key, ids)
    const theirs = requests(peer.key, peerIds)
    const sides = yield* alternate([
      { name: "carteiro", round: Effect.map(httpRound(product, product.url, ours), sampleOf) },
      {
        name: "fastify",
        round: Effect.map(httpRound({ pids: () => [peer.pid], database: peer.database }, peer.url, theirs), sampleOf)
      },
      { name: "floor", round: Effect.map(httpRound({ pids: () => [floor.pid] }, floor.url, theirs), sampleOf) }
    ])
    return {
      unit: "requests",
      sides,
      bars: bars.map((bar) => (bar === "faster" ? atLeast(sides, "fastify", 1) : notSlower(sides, "fastify"))),
      facts: []
    }
  })
})

const sampleOf = <A>({ sample }: { readonly sample: A }): A => sample

/** Reading one message. */
export const readOne = reads(
  "read-one",
  `GET /v1/messages/{id}, 64 connections, ${messages} messages in turn.`,
  readOneRequests,
  ["faster"]
)

/** Reading the newest page. */
export const listPage = reads(
  "list",
  `GET /v1/messages?limit=${pageSize}, 64 connections, ${messages} messages stored.`,
  listRequests,
  []
)
