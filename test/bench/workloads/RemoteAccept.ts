import { Effect } from "effect"
import { deferred, type Product, startProduct } from "../Product.ts"
import { alternate, httpRound } from "../Rounds.ts"
import { openWindows, senderOf, sends } from "../Sends.ts"
import type { Workload } from "./Workload.ts"

/** Accepting a send where edge and owner are two processes. */
export const remoteAccept: Workload = {
  name: "remote-accept",
  about:
    "POST /v1/messages to an edge whose owners live in a shard process (carteiro), beside one process in role all (single), 64 connections.",
  needs: ["wrk"],
  run: Effect.gen(function* () {
    const remote = yield* startProduct({ name: "remote", env: deferred, cluster: { shards: 1, edges: 1 } })
    const single = yield* startProduct({ name: "single", env: deferred })
    const round = Effect.fnUntraced(function* (product: Product) {
      const requests = sends(product.dev.sandbox.api_key, yield* senderOf(product), false)
      return (yield* httpRound(product, product.url, requests)).sample
    })
    yield* openWindows(remote)
    yield* openWindows(single)
    const sides = yield* alternate([
      { name: "carteiro", round: round(remote) },
      { name: "single", round: round(single) }
    ])
    return { unit: "requests", sides, bars: [], facts: [] }
  })
}
