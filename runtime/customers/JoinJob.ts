import type { Job } from "@carteiro/tables/Retention.ts"
import { Clock, Effect } from "effect"
import { Erasers } from "../erasure/Erasers.ts"
import { passOver } from "./CustomerJoins.ts"
import { JoinRepo } from "./JoinRepo.ts"

const everyMs = 5000
const atOnce = 100

/** Completes joins whose first pass was cut off, and makes the second one. Decision 0135 */
export const joinJob: Job = {
  name: "contacts.joins",
  everyMs,
  run: Effect.gen(function* () {
    const repo = yield* JoinRepo
    const erasers = yield* Erasers
    while (true) {
      const due = yield* repo.due(yield* Clock.currentTimeMillis, atOnce)
      yield* Effect.forEach(due, (join) => passOver(join, repo, erasers), { discard: true })
      if (due.length < atOnce) return
    }
  }).pipe(Effect.provide(JoinRepo.layer))
}
