import { Ids } from "@carteiro/owners/Ids.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import type { SandboxClock } from "@carteiro/schema/sandbox/SandboxClock.ts"
import { Context, Effect, Layer } from "effect"
import { type DueThing, SandboxDue } from "../../tenancy/SandboxDue.ts"
import { readClock } from "./ClockRead.ts"
import { ClockRepo } from "./ClockRepo.ts"
import type { AdvanceState } from "./ClockRules.ts"
import { SandboxClockEntity } from "./SandboxClockEntity.ts"

/** One sandbox's clock, its advance under way, and what its time moves next, soonest first. */
export interface ShownClock {
  readonly clock: Omit<SandboxClock, "trace_id">
  readonly advance: AdvanceState | undefined
  readonly due: ReadonlyArray<DueThing>
}

/** How a person turns the clock. `next` goes to the next thing that is due. */
export type Turn = "hour" | "day" | "next" | "freeze" | "resume"

/** The clocks of sandboxes for people: callers have found out that the environment is a sandbox of theirs. */
export class SandboxClocks extends Context.Service<
  SandboxClocks,
  {
    /** `now` in epoch milliseconds of real time. */
    read(environmentId: string, now: number): Effect.Effect<ShownClock>
    /** Begins the turn. Refuses while an advance is under way, as the API does. */
    turn(
      environmentId: string,
      turn: Turn,
      request: { readonly trace_id: string; readonly now: number }
    ): Effect.Effect<void, ApiError>
    /** Begins a reset. Refuses while an advance or a reset is under way. The caller has asked for the project's slug. */
    reset(
      environmentId: string,
      request: { readonly trace_id: string; readonly now: number }
    ): Effect.Effect<void, ApiError>
  }
>()("@carteiro/runtime/sandbox/clock/SandboxClocks") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const clocks = yield* SandboxClockEntity.client
      const repo = yield* ClockRepo
      const findDue = yield* SandboxDue
      const ids = yield* Ids

      const read = Effect.fnUntraced(function* (environmentId: string, now: number) {
        const [clock, advance, due] = yield* Effect.all(
          [repo.find(environmentId), repo.findRunning(environmentId), findDue(environmentId)],
          { concurrency: "unbounded" }
        )
        return {
          clock: readClock(clock, advance, now),
          advance,
          due: due.toSorted((one, other) => one.due_at - other.due_at)
        }
      })

      return SandboxClocks.of({
        read,
        reset: (environmentId, { now, trace_id }) =>
          Effect.asVoid(clocks.Reset(environmentId, { trace_id, claim: undefined, id: ids.mint("sca", now) })),
        turn: Effect.fnUntraced(function* (environmentId, turn, { now, trace_id }) {
          const asked = { trace_id, claim: undefined }
          if (turn === "freeze") return void (yield* clocks.Freeze(environmentId, asked))
          if (turn === "resume") return void (yield* clocks.Resume(environmentId, asked))
          const id = ids.mint("sca", now)
          const advance = (to: { readonly by_seconds: number } | { readonly to: string }) =>
            clocks.Advance(environmentId, { ...asked, id, by_seconds: undefined, to: undefined, ...to })
          if (turn !== "next") return void (yield* advance({ by_seconds: turn === "hour" ? 3_600 : 86_400 }))
          const { clock, due } = yield* read(environmentId, now)
          // An advance goes ahead by a second at least.
          const soonest = Date.parse(clock.now) + 1_000
          const [next] = due
          if (next !== undefined) yield* advance({ to: formatTimestamp(Math.max(soonest, next.due_at)) })
        })
      })
    })
  ).pipe(Layer.provide(ClockRepo.layer))
}
