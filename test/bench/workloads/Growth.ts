import { Ids } from "@carteiro/owners/Ids.ts"
import { matchKey } from "@carteiro/schema/messages/Vocabulary.ts"
import { Effect } from "effect"
import { Bench } from "../Bench.ts"
import { quote } from "../Load.ts"
import { deferred, startProduct } from "../Product.ts"
import { limit, medianOf, sideOf } from "../Report.ts"
import { alternate, httpRound } from "../Rounds.ts"
import { copies } from "../RowCopies.ts"
import { openWindows, recipient, sendBody, senderOf, sends } from "../Sends.ts"
import { acceptedRows, storing } from "./Accept.ts"
import type { Workload } from "./Workload.ts"

/** Messages that an environment has when it is measured. */
const sizes = [0, 1_000_000, 5_000_000] as const
const millions = (size: number) => `${size / 1_000_000} million`

const mostGrowth = 1.25
const mostListMs = 50

/** The cost of a send and of lists as the environment of their caller grows. */
export const growth: Workload = {
  name: "growth",
  about:
    "POST /v1/messages, GET /v1/messages?limit=20 and a list of the status that no message has, 64 connections, of an environment with none, 1 million and 5 million messages; one process each.",
  needs: ["wrk"],
  run: Effect.gen(function* () {
    const sides = yield* alternate((yield* Effect.forEach(sizes, grown)).flat())
    const cost = (name: string) => medianOf(sideOf(sides, name), "cpuMs") ?? Number.NaN
    return {
      unit: "requests",
      sides,
      bars: [
        limit(
          `a send to 5 million messages at most ${mostGrowth}x the processor time of one to none`,
          cost("send, 5 million") / cost("send, 0 million"),
          (ratio) => ratio <= mostGrowth,
          2
        ),
        limit(
          `a page of a list without a match at most ${mostListMs} ms of processor at 5 million`,
          cost("no match, 5 million"),
          (ms) => ms <= mostListMs,
          1
        )
      ],
      facts: ["A list without a match looks at 5,000 messages for a page, and goes on by its cursor."]
    }
  }).pipe(Effect.provide(Ids.layer))
}

const grown = Effect.fnUntraced(function* (size: number) {
  const { postgres, say } = yield* Bench
  const product = yield* startProduct({ name: `growth_${size}`, env: deferred })
  const key = product.dev.sandbox.api_key
  const sender = yield* senderOf(product)
  yield* openWindows(product)
  const { body } = yield* product.sandbox.post("/v1/messages", JSON.parse(sendBody(sender, recipient(0))))
  if (size > 0) {
    say(`  storing ${millions(size)} messages`)
    const set = {
      status: "'read'",
      due_at: "null",
      provider_message_id: "r.id",
      customer_id: "r.phone",
      customer_key: "r.match"
    }
    yield* copies(
      product.database,
      { table: "messages", prefix: "msg", count: size, origin: String(body.id), set },
      {
        names: ["phone", "match"],
        values: (rows) => [rows.map(recipient), rows.map((n) => matchKey(recipient(n).slice(1)))]
      }
    )
    yield* product.database.query("vacuum (analyze) messages")
    yield* postgres.checkpoint
  }
  const list = (query: string) =>
    Effect.map(
      httpRound(product, product.url, {
        method: "GET",
        headers: { Authorization: `Bearer ${key}` },
        path: quote(`/v1/messages?limit=20${query}`)
      }),
      ({ sample }) => sample
    )
  return [
    {
      name: `send, ${millions(size)}`,
      round: storing(product.url, product, sends(key, sender, false), acceptedRows)
    },
    { name: `list, ${millions(size)}`, round: list("") },
    { name: `no match, ${millions(size)}`, round: list("&status=failed") }
  ]
})
