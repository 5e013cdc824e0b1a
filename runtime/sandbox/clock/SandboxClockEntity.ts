import { reply } from "@carteiro/http-edge/Reply.ts"
import { Claim, readClaim } from "@carteiro/owners/Idempotency.ts"
import {
  batch,
  commitThen,
  type Decision,
  decideEach,
  defineOwner,
  type OwnerHandle,
  refuse
} from "@carteiro/owners/Owner.ts"
import { isApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { parseTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { InvalidSandboxRequest, SandboxClockAdvancing } from "@carteiro/schema/sandbox/SandboxErrors.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Effect, Schema } from "effect"
import { readAdvance, readClock } from "./ClockRead.ts"
import { ClockRepo } from "./ClockRepo.ts"
import { beginAdvance, type ClockState, freeze, isPastBound, pastBound, resume } from "./ClockRules.ts"
import { makeClockWork, type OwnedClock } from "./ClockWork.ts"
import { beginReset } from "./ResetRules.ts"

const FinishedResponse = Schema.Struct({ status: Schema.Int, body: Schema.String })
type FinishedResponse = typeof FinishedResponse.Type

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

const ResetItem = Schema.Struct({ ...asked, id: Schema.String })
type ResetItem = typeof ResetItem.Type

/**
 * The clock of one sandbox; its id is the environment's. It carries an advance from one due instant to the next: it stops
 * the clock there, wakes the owners with work due, and goes on when none of them has any left.
 */
export const SandboxClockEntity = defineOwner("SandboxClock", {
  Advance: batch(AdvanceItem, FinishedResponse),
  Freeze: batch(MoveItem, FinishedResponse),
  Resume: batch(MoveItem, FinishedResponse),
  Reset: batch(ResetItem, FinishedResponse)
})

export const sandboxClockOwners = SandboxClockEntity.toLayer(
  Effect.gen(function* () {
    const repo = yield* ClockRepo
    const work = yield* makeClockWork

    const advance = decideEach((item: AdvanceItem, state: OwnedClock, owner, now): Decision<FinishedResponse> => {
      if (isUnderWay(state)) return refuse(new SandboxClockAdvancing())
      const to = item.to === undefined ? undefined : parseTimestamp(item.to)
      const begun = beginAdvance(state.clock, { id: item.id, by_seconds: item.by_seconds, to }, now)
      if (isApiError(begun)) return refuse(begun)
      const rows = [repo.save(owner.id, begun.clock), repo.begin(owner.id, begun.advance)]
      return turn(owner, state, begun, rows, item, reply({ traceId: item.trace_id }, 202, readAdvance(begun.advance)))
    })

    const reset = decideEach((item: ResetItem, state: OwnedClock, owner, now): Decision<FinishedResponse> => {
      if (isUnderWay(state)) return refuse(new SandboxClockAdvancing())
      const request_key = item.claim === undefined ? null : readClaim(item.claim).key_hash
      const begun = beginReset(state.clock, { id: item.id, request_key }, now)
      const rows = [repo.save(owner.id, begun.clock), repo.begin(owner.id, begun.advance)]
      return turn(owner, state, begun, rows, item, reply({ traceId: item.trace_id }, 202, readAdvance(begun.advance)))
    })

    /** Returns the handler that stops the clock or lets it go on. One that does so already stays as it is. */
    const move = (change: (clock: ClockState | undefined, now: number) => ClockState | undefined) =>
      decideEach((item: MoveItem, state: OwnedClock, owner, now): Decision<FinishedResponse> => {
        if (isUnderWay(state)) return refuse(new SandboxClockAdvancing())
        if (isPastBound(state.clock, now)) return refuse(new InvalidSandboxRequest({ message: pastBound }))
        const clock = change(state.clock, now)
        const rows = clock === undefined || clock === state.clock ? [] : [repo.save(owner.id, clock)]
        const value = reply({ traceId: item.trace_id }, 200, readClock(clock, undefined, now))
        return turn(owner, state, { clock, advance: undefined }, rows, item, value)
      })

    return {
      load: (owner) =>
        Effect.map(
          Effect.all({ clock: repo.find(owner.id), advance: repo.findRunning(owner.id) }),
          (state): OwnedClock => ({ ...state, keptFor: undefined, keptNext: undefined })
        ),
      work,
      handlers: { Advance: advance, Freeze: move(freeze), Resume: move(resume), Reset: reset }
    }
  }),
  // It decides how far the sandbox's time is from real time.
  { realTime: true }
)

/** True while an advance or a reset is under way. */
const isUnderWay = ({ advance, clock }: OwnedClock): boolean => advance !== undefined || clock?.resetting === true

/** Returns the decision that writes the state, and then tells the owner to look. */
const turn = (
  owner: OwnerHandle,
  state: OwnedClock,
  next: Pick<OwnedClock, "clock" | "advance">,
  rows: ReadonlyArray<Row>,
  item: MoveItem,
  value: FinishedResponse
): Decision<FinishedResponse> => {
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
