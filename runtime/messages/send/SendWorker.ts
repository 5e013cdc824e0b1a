import type { OwnerHandle } from "@carteiro/owners/Owner.ts"
import type { GatheredPasses } from "@carteiro/owners/Queue.ts"
import { jsonText } from "@carteiro/tables/StoredJson.ts"
import { Effect, type Latch } from "effect"
import { readFiles } from "../content/FileTerms.ts"
import type { DueInstants, DueMessage, NumberFacts, NumberState } from "../facts/SendingFacts.ts"
import { sandboxProvider, simulatedAnswer, simulatedPricing } from "../sandbox/SandboxChat.ts"
import { completionUnits } from "./FlowCompletion.ts"
import { afterRefusalMs, countReached, writeProgress } from "./ProgressUnit.ts"
import { pacingChange, releaseDue } from "./Release.ts"
import {
  isLeaving,
  type NumberSends,
  passLimit,
  type SendDeps,
  type SendingTurn,
  spend,
  tokensOf,
  trickleMs
} from "./SendCalls.ts"
import { applyReports, beginProgress, judgeStaleAttempt, type SendProgress, takeTurn } from "./SendProgress.ts"
import { endTurn } from "./SendQueue.ts"
import { isTurn, readTerms, returnSlots, takeSlots } from "./TurnTerms.ts"

/** The memory of a number's owner besides its buckets. */
export interface SendingNumber extends NumberState {
  /** Undefined until the number first sends through a provider; always undefined for sandbox numbers. */
  sends: NumberSends | undefined
  readonly gathered: GatheredPasses
}

/** The sends of a number in one pass. */
export interface DueSends {
  readonly state: SendingNumber
  readonly due: DueInstants & { readonly number: NumberFacts }
  /** Opened once the answers of earlier passes are written. */
  readonly answersWritten: Latch.Latch
}

/** Makes the queue of a number that sends through a provider for the first time. */
export type MakeSends = (owner: OwnerHandle) => NumberSends

const never = Number.POSITIVE_INFINITY

/**
 * Sends what is due of a number: releases and stale attempts, then as many queued messages as there are tokens. Returns
 * when the next pass is due, or infinity. gaps-2 D "Per-number throughput budget"
 */
export const sendDue = Effect.fnUntraced(function* (
  { answersWritten, due, state }: DueSends,
  owner: OwnerHandle,
  deps: SendDeps,
  makeSends: MakeSends
) {
  const { number, queue = never, steps = never } = due
  const turn = { buckets: state, number, limits: deps.limitsOf(number), queue, pausedUntil: 0, answersWritten }
  const released = number.pacing_at === null ? never : yield* releaseDue(state, number, number.pacing_at, owner, deps)
  if (number.environment === "sandbox") return Math.min(released, yield* simulate(turn, steps, owner, deps))
  state.sends ??= makeSends(owner)
  const recovered = steps <= owner.now() ? yield* recover(number, owner, deps) : steps
  return Math.min(released, recovered, yield* send(state.sends, turn, owner))
})

/** Runs one pass of a number's queue to its provider. */
const send = Effect.fnUntraced(function* (sends: NumberSends, turn: SendingTurn, owner: OwnerHandle) {
  const asked = yield* sends.pass(turn, owner)
  const now = owner.now()
  if (asked !== undefined || turn.pausedUntil > now) return Math.max(asked ?? 0, turn.pausedUntil)
  if (turn.queue > now) return turn.queue
  // An answer, or a free part of the node's budget, starts the next pass.
  if (sends.room === 0 || sends.isHeld) return never
  return tokensOf(turn.buckets, turn.limits, owner) === 0 ? now + trickleMs : now
})

/** Decides on reservations without a result; returns when the next check is due. */
const recover = Effect.fnUntraced(function* (number: NumberFacts, owner: OwnerHandle, deps: SendDeps) {
  const now = owner.now()
  const place = { environment_id: number.environment_id, id: owner.id }
  const due = yield* deps.due.readDue(place, now, { queue: 0, steps: passLimit })
  // Due messages wait until their report is handled.
  if (due.length === 0) return now + afterRefusalMs
  const units = due.map((message) =>
    writeProgress(judgeStaleAttempt(beginProgress(message), now), number, owner.id, now, deps)
  )
  const { statuses } = yield* owner.commit(units)
  countReached(units, { statuses }, number, deps.count)
  return statuses.every((status) => status === "committed") ? owner.now() : owner.now() + afterRefusalMs
})

/**
 * Runs one pass over a sandbox number: nothing is sent, so a reservation and its answer are one commit. M-MSG-59,
 * M-SBX-25
 */
const simulate = Effect.fnUntraced(function* (
  { buckets, limits, number, queue }: SendingTurn,
  steps: number,
  owner: OwnerHandle,
  deps: SendDeps
) {
  const now = owner.now()
  const tokens = queue <= now ? tokensOf(buckets, limits, owner) : 0
  if (steps > now && tokens === 0) return Math.min(steps, queue <= now ? now + trickleMs : queue)
  const due = yield* deps.due.readDue({ environment_id: number.environment_id, id: owner.id }, now, {
    queue: Math.min(passLimit, tokens),
    steps: steps <= now ? passLimit : 0
  })
  const terms = yield* readTerms(due, buckets, number, owner, deps)
  const files = yield* readFiles(due, number.environment_id, deps.files)
  const turn = (message: DueMessage) => {
    const { guard } = terms.get(message.id) ?? {}
    const judged = { carrier: { provider: sandboxProvider }, guard, file: files.get(message.id) }
    return takeTurn(beginProgress(message), number, judged, now)
  }
  const passed = due.map((message) =>
    isTurn(message) ? turn(message) : applyReports(beginProgress(message), deps.unitMs, now)
  )
  const taken = takeSlots(passed, terms, buckets, number, now)
  spend(buckets, limits, taken.filter((one) => isTurn(one.message) && isLeaving(one)).length, owner, now)
  const answered = taken.map((one) => answerInProcess(one, deps, now))
  returnSlots(taken, answered, buckets, now)
  const units = answered.map((progress) => writeProgress(progress, number, owner.id, now, deps))
  const completed = yield* completionUnits(answered, number, owner, deps)
  const pacing = pacingChange(taken, buckets, number, owner)
  const { statuses } = yield* owner.commit([...units, ...pacing.units, ...completed])
  if (pacing.portfolio !== undefined) deps.wakePortfolio(pacing.portfolio)
  countReached(units, { statuses }, number, deps.count)
  return statuses.every((status) => status === "committed") ? owner.now() : owner.now() + afterRefusalMs
})

/** Returns the simulator's answer, written in the commit of the reservation: a crash before it has sent nothing. */
const answerInProcess = (progress: SendProgress, deps: SendDeps, now: number): SendProgress =>
  isTurn(progress.message) && progress.state.status === "sending"
    ? applyReports(priced(endTurn(progress, simulatedAnswer(progress.message), now), now), deps.unitMs, now)
    : progress

/** Adds the price to a message that was sent. U-STA-01 */
const priced = (progress: SendProgress, now: number): SendProgress =>
  progress.state.status === "sent"
    ? { ...progress, pricing: jsonText(simulatedPricing(progress.message, now)) }
    : progress
