import { Effect } from "effect"
import { Bench } from "../Bench.ts"
import { BenchFailure } from "../BenchFailure.ts"
import { load } from "../Load.ts"
import { deferred, startProduct } from "../Product.ts"
import { quietPerSecond, quietRound } from "../QuietRound.ts"
import { medianOf, sideOf } from "../Report.ts"
import { alternate } from "../Rounds.ts"
import { customer, makeSenders } from "../Senders.ts"
import { sendsOf } from "../Sends.ts"
import type { Workload } from "./Workload.ts"

const quiet = 50
const worstFactor = 2
const alwaysFineMs = 40

/** What a tenant that drives all it can costs those who hardly ask for anything. */
export const noisyNeighbour: Workload = {
  name: "noisy-neighbour",
  about: `POST /v1/messages of ${quiet} environments at ${quietPerSecond} requests a second each, with and without another one that sends over 64 connections as fast as it is answered; one process, no bucket sets a limit.`,
  needs: ["wrk"],
  run: Effect.gen(function* () {
    const product = yield* startProduct({ name: "noisy_neighbour", env: deferred })
    const [noisy, ...others] = yield* makeSenders(product, quiet + 1)
    if (noisy === undefined) return yield* new BenchFailure({ message: "no environment was made" })
    const { folder, options } = yield* Bench
    const noise = load(folder, product.url, sendsOf([noisy], customer), options.seconds)
    const silence = Effect.sleep(options.seconds * 1000)
    const sides = yield* alternate([
      { name: "with noise", round: quietRound(product, others, noise) },
      { name: "without", round: quietRound(product, others, silence) }
    ])
    const loud = medianOf(sideOf(sides, "with noise"), "p99Ms")
    const alone = medianOf(sideOf(sides, "without"), "p99Ms")
    const measured =
      loud === undefined || alone === undefined
        ? "not measured"
        : `${loud.toFixed(1)} ms against ${alone.toFixed(1)} ms`
    return {
      unit: "requests",
      sides,
      bars: [
        {
          promise: `p99 with noise at most ${worstFactor}x without, or ${alwaysFineMs} ms`,
          measured,
          passed: loud !== undefined && alone !== undefined && loud <= Math.max(alwaysFineMs, worstFactor * alone)
        }
      ],
      facts: []
    }
  })
}
