import { reply } from "@carteiro/http-edge/Reply.ts"
import { Claim } from "@carteiro/owners/Idempotency.ts"
import {
  Activations,
  batch,
  commitThen,
  type Decision,
  defineOwner,
  type OwnerHandle,
  refuse
} from "@carteiro/owners/Owner.ts"
import { dayMs, hourMs, parseTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { longestAdvanceDays } from "@carteiro/schema/sandbox/SandboxClock.ts"
import { InvalidSandboxRequest, SandboxClockAdvancing } from "@carteiro/schema/sandbox/SandboxErrors.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Effect, Schema } from "effect"
import { type DueThing, SandboxDue, SandboxUpkeep } from "../../tenancy/SandboxDue.ts"
import { readAdvance, readClock } from "./ClockRead.ts"
import { ClockRepo } from "./ClockRepo.ts"
import {
  type AdvanceState,
  type ClockState,
  frozen,
  looksEveryMs,
  nextStep,
  running,
  shortestWaitMs,
  timeOf
} from "./ClockRules.ts"

const Answered = Schema.Struct({ status: Schema.Int, body: Schema.String })
type Answered = typeof Answered.Type

const asked = { trace_id: Schema.String, claim: Schema.UndefinedOr(Claim) }
const MoveItem = Schema.Struct(asked)
type MoveItem = typeof MoveItem.Type

const AdvanceItem = Schema.Struct({
  ...asked,
  id: Schema.String,
  by_seconds: Schema.UndefinedOr(Schema.Int),
  to: Schema.UndefinedOr(Schema.String)
})
type AdvanceItem = typeof AdvanceItem.Type

/**
 * The clock of one sandbox; its id is the environment's. It carries an advance from one due instant to the next: it stops
 * the clock there, wakes the owners with work due, and goes on when none of them has any left.
 */
export const SandboxClockEntity = defineOwner("SandboxClock", {
  Advance: batch(AdvanceItem, Answered),
  Freeze: batch(MoveItem, Answered),
  Resume: batch(MoveItem, Answered)
})

/** The clock as its owner has it. */
interface OwnedClock {
  clock: ClockState | undefined
  advance: AdvanceState | undefined
  /** The advance whose target the upkeep has reached. */
  keptFor: string | undefined
  /** When a clock that runs ahead is kept up next, on real time; set by its first look. */
  keptNext: number | undefined
}

const longestMs = longestAdvanceDays * dayMs
/** Pause after a commit that did not pass, in milliseconds. */
const retryMs = 250
/** A clock that runs ahead is kept up so often, in milliseconds of real time, as the jobs of the node are. */
const keepsUpEveryMs = hourMs

export const sandboxClockOwners = SandboxClockEntity.toLayer(
  Effect.gen(function* () {
    const repo = yield* ClockRepo
    const findDue = yield* SandboxDue
    const keepUp = yield* SandboxUpkeep
    const activations = yield* Activations

    const wake = (due: ReadonlyArray<DueThing>) => {
      for (const { id, type } of due) activations.wake(type, id)
    }

    /** Writes the state, and then tells the owner to look. */
    const turn = (
      owner: OwnerHandle,
      state: OwnedClock,
      next: Pick<OwnedClock, "clock" | "advance">,
      rows: ReadonlyArray<Row>,
      item: MoveItem,
      value: Answered
    ): Decision<Answered> => {
      state.clock = next.clock
      state.advance = next.advance
      return commitThen({
        rows,
        claim: item.claim,
        response: value,
        settle: () => {
          owner.dueAt(next.clock?.due_at ?? owner.now())
          return { ok: value }
        }
      })
    }

    const advance = (item: AdvanceItem, state: OwnedClock, owner: OwnerHandle, now: number): Decision<Answered> => {
      if (state.advance !== undefined) return refuse(new SandboxClockAdvancing())
      const from_at = timeOf(state.clock, now)
      const to = item.to === undefined ? undefined : parseTimestamp(item.to)
      const target_at = to ?? from_at + (item.by_seconds ?? 0) * 1000
      const clock = frozen(state.clock, now)
      const problem = target_at - from_at > longestMs ? tooFar : target_at <= clock.stands_at ? behind : undefined
      if (problem !== undefined) return refuse(new InvalidSandboxRequest({ param: "to", message: problem }))
      const begun: AdvanceState = {
        id: item.id,
        status: "running",
        from_at,
        target_at,
        reached_at: from_at,
        next_due_at: null,
        settled_at: null,
        steps: 0,
        step_began_at: clock.due_at,
        stood: typeof state.clock?.stands_at === "number",
        error_code: null,
        error_message: null,
        created_at: from_at
      }
      const rows = [repo.save(owner.id, clock), repo.begin(owner.id, begun)]
      const value = reply({ traceId: item.trace_id }, 202, readAdvance(begun))
      return turn(owner, state, { clock, advance: begun }, rows, item, value)
    }

    /** Stops the clock or lets it go on. One that does so already stays as it is. */
    const move = (
      item: MoveItem,
      state: OwnedClock,
      owner: OwnerHandle,
      now: number,
      change: (clock: ClockState | undefined) => ClockState | undefined
    ): Decision<Answered> => {
      if (state.advance !== undefined) return refuse(new SandboxClockAdvancing())
      const clock = change(state.clock)
      const rows = clock === undefined || clock === state.clock ? [] : [repo.save(owner.id, clock)]
      const value = reply({ traceId: item.trace_id }, 200, readClock(clock, undefined, now))
      return turn(owner, state, { clock, advance: undefined }, rows, item, value)
    }

    /** One step of an advance; returns when the next is due. */
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
      const save = Effect.fnUntraced(function* (moved: AdvanceState, stands: ClockState, wait: number) {
        state.advance = moved.status === "running" ? moved : undefined
        state.clock = stands
        const units = [{ rows: [repo.move(owner.id, moved), repo.save(owner.id, stands)] }]
        const { statuses } = yield* owner.commit(units)
        return statuses[0] === "committed" ? owner.now() + wait : owner.now() + retryMs
      })
      const endAt = (reached: number): ClockState =>
        advance.stood ? { ...clock, stands_at: reached, due_at: now } : running(clock, reached, now)
      switch (next._tag) {
        case "Wake": {
          wake(next.due)
          return now + next.waitMs
        }
        case "Move": {
          const moved = {
            ...advance,
            reached_at: at,
            next_due_at: next.to,
            steps: advance.steps + 1,
            step_began_at: now
          }
          const looksAt = yield* save(moved, { ...clock, stands_at: next.to }, shortestWaitMs)
          wake(due.filter(({ due_at }) => due_at <= next.to))
          return looksAt
        }
        case "Settle": {
          const { target_at } = advance
          if (state.keptFor !== advance.id) {
            yield* keepUp(owner.id, target_at)
            state.keptFor = advance.id
            // Bytes of files that expired are work that is due here.
            return owner.now()
          }
          const ended = {
            status: "settled",
            reached_at: target_at,
            next_due_at: next.next,
            settled_at: target_at
          } as const
          return yield* save({ ...advance, ...ended }, endAt(target_at), 0)
        }
        case "Stop": {
          const ended = {
            status: "stopped",
            reached_at: at,
            error_code: next.code,
            error_message: next.message
          } as const
          return yield* save({ ...advance, ...ended }, endAt(at), 0)
        }
      }
    })

    /** Wakes what is due on the turned clock, which the sweeper does not know. */
    const look = Effect.fnUntraced(function* (state: OwnedClock, clock: ClockState, owner: OwnerHandle) {
      const due = yield* findDue(owner.id)
      const now = owner.now()
      // A freeze may have come while the sources were read.
      if (state.clock !== clock) return now
      const time = timeOf(clock, now)
      wake(due.filter(({ due_at }) => due_at <= time))
      const waits = due.flatMap(({ due_at }) => (due_at > time ? [due_at - time] : []))
      const wait = clock.stands_at === null ? Math.min(looksEveryMs, ...waits) : looksEveryMs
      state.keptNext ??= now + keepsUpEveryMs
      if (state.keptNext <= now) {
        yield* keepUp(owner.id, time)
        state.keptNext = now + keepsUpEveryMs
        if (state.clock !== clock) return now
      }
      const next = { ...clock, due_at: now + wait }
      state.clock = next
      yield* owner.commit([{ rows: [repo.save(owner.id, next)] }])
      return next.due_at
    })

    return {
      load: (owner) =>
        Effect.map(
          Effect.all({ clock: repo.find(owner.id), advance: repo.findRunning(owner.id) }),
          (state): OwnedClock => ({ ...state, keptFor: undefined, keptNext: undefined })
        ),
      work: (state: OwnedClock, owner) =>
        Effect.suspend(() => {
          const { advance, clock } = state
          if (clock === undefined) return Effect.succeed(undefined)
          if (clock.due_at > owner.now()) return Effect.succeed(clock.due_at)
          return advance === undefined ? look(state, clock, owner) : step(state, clock, advance, owner)
        }),
      handlers: {
        Advance: {
          decide: (items, _facts, state: OwnedClock, owner, now) =>
            items.map((item) => advance(item, state, owner, now))
        },
        Freeze: {
          decide: (items, _facts, state: OwnedClock, owner, now) =>
            items.map((item) =>
              move(item, state, owner, now, (clock) =>
                typeof clock?.stands_at === "number" ? clock : frozen(clock, now)
              )
            )
        },
        Resume: {
          decide: (items, _facts, state: OwnedClock, owner, now) =>
            items.map((item) =>
              move(item, state, owner, now, (clock) =>
                typeof clock?.stands_at === "number" ? running(clock, clock.stands_at, now) : clock
              )
            )
        }
      }
    }
  }),
  // It decides how far the sandbox's time is from real time.
  { realTime: true }
)

const behind = "The clock goes ahead only: ask for an instant behind the sandbox's time by a second or more."
const tooFar = `One advance goes ${longestAdvanceDays} days at most; ask for the rest when it is settled.`
