import { Effect } from "effect"
import { BenchFailure } from "../BenchFailure.ts"
import { quote, type Requests } from "../Load.ts"
import * as Peers from "../Peers.ts"
import { startProduct } from "../Product.ts"
import { alternate, httpRound } from "../Rounds.ts"
import type { Workload } from "./Workload.ts"

// An id of a wrong shape is answered right after admission, without a look at any resource.
const path = "/v1/api-keys/none"

const requests = (apiKey: string): Requests => ({
  method: "GET",
  headers: { Authorization: `Bearer ${apiKey}` },
  path: quote(path)
})

/** What every request pays before its handler: key, tenant, scopes, buckets. */
export const admit: Workload = {
  name: "admit",
  about: `GET ${path}, 64 connections: admitted, then answered 404 for the shape of the id, so that nothing but admission is left.`,
  needs: ["wrk"],
  run: Effect.gen(function* () {
    const product = yield* startProduct({ name: "admit" })
    const key = product.dev.sandbox.api_key
    const code = yield* codeOf(`${product.url}${path}`, key)
    if (code !== "api_key_not_found") {
      return yield* new BenchFailure({ message: `${path} answered ${code}, not api_key_not_found` })
    }
    const floor = yield* Peers.floor
    const sides = yield* alternate([
      {
        name: "carteiro",
        round: Effect.map(httpRound(product, product.url, requests(key), "refused"), ({ sample }) => sample)
      },
      {
        name: "floor",
        round: Effect.map(
          httpRound({ pids: () => [floor.pid] }, floor.url, { ...requests(key), path: quote("/v1/messages/none") }),
          ({ sample }) => sample
        )
      }
    ])
    return { unit: "requests", sides, bars: [], facts: [] }
  })
}

const codeOf = (url: string, key: string) =>
  Effect.tryPromise({
    try: async () => {
      const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` } })
      return ((await answer.json()) as { readonly error?: { readonly code: string } }).error?.code
    },
    catch: (error) => new BenchFailure({ message: `${url}: ${String(error)}` })
  })
