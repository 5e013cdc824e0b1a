import { Effect } from "effect"
import { Bench } from "../Bench.ts"
import { BenchFailure } from "../BenchFailure.ts"
import { sendsInTurn, storedOnce } from "../Outage.ts"
import { deferred, startProduct } from "../Product.ts"
import { limit, median } from "../Report.ts"
import { makeSenders } from "../Senders.ts"
import { allAnswered, latencies, steadily } from "../Steady.ts"
import type { Workload } from "./Workload.ts"

const shards = 3
const count = 15
const perSecond = 60
const before = "1 second"
/** Longer than the lease of its locks, so that it wakes as one that lost everything. */
const frozen = "9 seconds"
const after = "4 seconds"
const frozenBar = 10_000
const otherBar = 1_000

/** What callers notice of a process that stops for a while and then goes on. */
export const freeze: Workload = {
  name: "freeze",
  about: `${shards} shards and an edge, ${perSecond} sends of ${count} environments a second; a shard is frozen (SIGSTOP) for ${frozen} and goes on (SIGCONT), in a new cluster each round.`,
  needs: [],
  run: Effect.gen(function* () {
    const { options, say } = yield* Bench
    const rounds: Array<{ readonly frozen: number; readonly others: number }> = []
    for (let round = 1; round <= options.rounds; round++) {
      const { affected, longest } = yield* Effect.scoped(freezing(`freeze_${round}`))
      rounds.push(longest)
      say(
        `  round ${round}  ${affected} of ${count} environments waited at most ${Math.round(longest.frozen)} ms, the others ${Math.round(longest.others)} ms`
      )
    }
    const shown = (of: "frozen" | "others") => rounds.map((longest) => Math.round(longest[of])).join(", ")
    const worst = (of: "frozen" | "others") => Math.max(...rounds.map((longest) => longest[of]))
    return {
      unit: "requests",
      sides: [],
      bars: [
        limit(
          `at most ${frozenBar} ms until a send to an owner of the frozen node is answered`,
          worst("frozen"),
          (value) => value <= frozenBar
        ),
        limit(
          `at most ${otherBar} ms for a send to other owners, in the median round`,
          median(rounds.map(({ others }) => others)),
          (value) => value <= otherBar
        )
      ],
      facts: [
        `slowest send a round, ms: ${shown("frozen")} to owners of the frozen node, ${shown("others")} to others; none failed, all are stored, none twice.`
      ]
    }
  })
}

const freezing = Effect.fnUntraced(function* (name: string) {
  const product = yield* startProduct({ name, env: deferred, cluster: { shards, edges: 1 } })
  const senders = yield* makeSenders(product, count)
  const node = product
    .nodes()
    .find(({ role, pid }) => role === "shard" && senders.some(({ homes }) => homes.includes(pid)))
  const affected = new Set(
    senders.flatMap(({ homes }, at) => (node !== undefined && homes.includes(node.pid) ? at : []))
  )
  if (node === undefined || affected.size === count) {
    return yield* new BenchFailure({ message: `one shard owns a part of ${affected.size} of ${count} environments` })
  }
  const signal = (name: NodeJS.Signals) => Effect.sync(() => product.kill(node.pid, name))
  const script = Effect.sleep(before).pipe(
    Effect.andThen(signal("SIGSTOP")),
    Effect.andThen(Effect.sleep(frozen)),
    // A frozen process could not be stopped at the end of a run that is given up.
    Effect.ensuring(signal("SIGCONT")),
    Effect.andThen(Effect.sleep(after))
  )
  const { load } = yield* steadily(perSecond, sendsInTurn([product.url], senders, "freeze"), script)
  yield* allAnswered(load)
  yield* storedOnce(product, [load])
  const slowest = (which: boolean) =>
    Math.max(...latencies(load.sent.filter(({ sender }) => affected.has(sender) === which)))
  return { affected: affected.size, longest: { frozen: slowest(true), others: slowest(false) } }
})
