import { Effect } from "effect"
import type { Product } from "./Product.ts"
import type { Sample } from "./Rounds.ts"
import { customer, type Sender } from "./Senders.ts"
import { sendBody } from "./Sends.ts"
import { allAnswered, latencies, percentile, steadily } from "./Steady.ts"

/** Requests a second of each quiet tenant. */
export const quietPerSecond = 4

/** Measures sends of tenants that hardly ask for anything, while something else goes on. */
export const quietRound = <A, E, R>(
  product: Product,
  senders: ReadonlyArray<Sender>,
  meanwhile: Effect.Effect<A, E, R>
) =>
  Effect.gen(function* () {
    const { load } = yield* steadily(
      senders.length * quietPerSecond,
      (n) => {
        const at = n % senders.length
        const { key, number } = senders[at] as Sender
        return { sender: at, urls: [product.url], key, body: sendBody(number, customer) }
      },
      meanwhile
    )
    yield* allAnswered(load)
    const times = latencies(load.sent)
    const sample: Sample = {
      perSecond: load.sent.length / load.seconds,
      p50Ms: percentile(times, 0.5),
      p99Ms: percentile(times, 0.99)
    }
    return sample
  })
