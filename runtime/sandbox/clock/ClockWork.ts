import { Activations, type OwnerHandle } from "@carteiro/owners/Owner.ts"
import { hourMs } from "@carteiro/schema/conventions/Timestamp.ts"
import { Effect } from "effect"
import { type DueThing, SandboxDue, SandboxUpkeep } from "../../tenancy/SandboxDue.ts"
import { ClockRepo } from "./ClockRepo.ts"
import {
  type AdvanceState,
  afterStep,
  type ClockState,
  nextLook,
  nextStep,
  shortestWaitMs,
  timeOf
} from "./ClockRules.ts"
import { ResetRepo } from "./ResetRepo.ts"
import { afterReset, closedAt, settledReset } from "./ResetRules.ts"

/** The clock as its owner has it. */
export interface OwnedClock {
  clock: ClockState | undefined
  advance: AdvanceState | undefined
  /** The advance whose target the upkeep has reached. */
  keptFor: string | undefined
  /** When a clock that runs ahead is kept up next, on real time; set by its first look. */
  keptNext: number | undefined
}

/** Pause after a commit that did not pass, in milliseconds. */
const retryMs = 250
/** A clock that runs ahead is kept up so often, in milliseconds of real time, as the jobs of the node are. */
const keepsUpEveryMs = hourMs

/** The passes of a clock's owner: a step of its advance, or a look at a clock that was turned. */
export const makeClockWork = Effect.gen(function* () {
  const repo = yield* ClockRepo
  const rows = yield* ResetRepo
  const findDue = yield* SandboxDue
  const keepUp = yield* SandboxUpkeep
  const activations = yield* Activations

  const wake = (due: ReadonlyArray<DueThing>) => {
    for (const { id, type } of due) activations.wake(type, id)
  }

  /** Takes one step of an advance; returns when the next is due. */
  const step = Effect.fnUntraced(function* (
    state: OwnedClock,
    clock: ClockState,
    advance: AdvanceState,
    owner: OwnerHandle
  ) {
    const due = yield* findDue(owner.id)
    const now = owner.now()
    const at = clock.stands_at ?? timeOf(clock, now)
    const next = nextStep(advance, at, due, now)
    if (next._tag === "Wake") {
      wake(next.due)
      return now + next.waitMs
    }
    if (next._tag === "Settle" && state.keptFor !== advance.id) {
      yield* keepUp(owner.id, advance.target_at)
      state.keptFor = advance.id
      // Bytes of files that expired are work that is due here.
      return owner.now()
    }
    const after = afterStep({ advance, clock }, next, at, now)
    state.advance = after.advance.status === "running" ? after.advance : undefined
    state.clock = after.clock
    const rows = [repo.move(owner.id, after.advance), repo.save(owner.id, after.clock)]
    const { statuses } = yield* owner.commit([{ rows }])
    const looksAt = owner.now() + waitAfter(next._tag, statuses[0] === "committed")
    if (next._tag === "Move") wake(due.filter(({ due_at }) => due_at <= next.to))
    return looksAt
  })

  /** Takes one step of a reset; returns when the next is due. */
  const resetStep = Effect.fnUntraced(function* (state: OwnedClock, clock: ClockState, owner: OwnerHandle) {
    const { advance } = state
    const closed = closedAt(advance)
    if (owner.now() < closed) {
      // Owners that have work under way hear of the reset now, and not with their next call.
      wake(yield* findDue(owner.id))
      return closed
    }
    const isEmpty = yield* rows.empty(owner.id, advance, owner.now())
    if (!isEmpty) return owner.now()
    const now = owner.now()
    const after = afterReset(clock, now)
    const settled = advance === undefined ? [] : [repo.move(owner.id, settledReset(advance, now))]
    state.clock = after
    state.advance = undefined
    const { statuses } = yield* owner.commit([{ rows: [...settled, repo.save(owner.id, after)] }])
    return statuses[0] === "committed" ? after.due_at : owner.now() + retryMs
  })

  /** Wakes what is due on the turned clock, which the sweeper does not know. */
  const look = Effect.fnUntraced(function* (state: OwnedClock, clock: ClockState, owner: OwnerHandle) {
    const due = yield* findDue(owner.id)
    const now = owner.now()
    // A freeze may have come while the sources were read.
    if (state.clock !== clock) return now
    const time = timeOf(clock, now)
    wake(due.filter(({ due_at }) => due_at <= time))
    state.keptNext ??= now + keepsUpEveryMs
    if (state.keptNext <= now) {
      yield* keepUp(owner.id, time)
      state.keptNext = now + keepsUpEveryMs
      if (state.clock !== clock) return now
    }
    const next = { ...clock, due_at: nextLook(clock, due, now) }
    state.clock = next
    yield* owner.commit([{ rows: [repo.save(owner.id, next)] }])
    return next.due_at
  })

  return (state: OwnedClock, owner: OwnerHandle): Effect.Effect<number | undefined> =>
    Effect.suspend(() => {
      const { advance, clock } = state
      if (clock === undefined) return Effect.succeed(undefined)
      if (clock.due_at > owner.now()) return Effect.succeed(clock.due_at)
      if (clock.resetting) return resetStep(state, clock, owner)
      return advance === undefined ? look(state, clock, owner) : step(state, clock, advance, owner)
    })
})

/** Returns the pause before the next look at an advance, in milliseconds. */
const waitAfter = (step: "Move" | "Settle" | "Stop", isCommitted: boolean): number =>
  isCommitted ? (step === "Move" ? shortestWaitMs : 0) : retryMs
