import type { OwnerHandle } from "@carteiro/owners/Owner.ts"
import { Effect, Latch } from "effect"
import type { NumberState } from "../facts/SendingFacts.ts"
import type { NoticedNumber } from "../notices/NoticePass.ts"
import type { SendDeps } from "../send/SendCalls.ts"
import { type MakeSends, type SendingNumber, sendDue } from "../send/SendWorker.ts"

/** Handles the platform's notices about a number; returns when the next pass is due. */
export type TakeNotices = (
  noticed: NoticedNumber,
  state: NumberState,
  owner: OwnerHandle
) => Effect.Effect<number | undefined>

/**
 * One pass over the due work of a number: what it sends, and what the platform reports of it. Returns when the next pass
 * is due. gaps-2 D "Per-number throughput budget", gaps-2 E "Inbound upstream webhook"
 */
export const passDue = Effect.fnUntraced(function* (
  state: SendingNumber,
  owner: OwnerHandle,
  deps: SendDeps,
  makeSends: MakeSends,
  takeNotices: TakeNotices
) {
  const { number, ...due } = yield* deps.due.dueInstants(owner.id)
  if (number === undefined) return undefined
  const answersWritten = Latch.makeUnsafe(false)
  const sending = Effect.ensuring(
    sendDue({ state, due: { ...due, number }, answersWritten }, owner, deps, makeSends),
    answersWritten.open
  )
  // The platform reports nothing of a sandbox's number.
  const notices = number.environment === "sandbox" ? never : (due.notices ?? never)
  if (notices > owner.now()) return orUndefined(Math.min(yield* sending, notices))
  // Reports are handled after the answers, because a status mostly concerns a message whose answer has come, and beside
  // the next reservations, which they do not change. Neither may interrupt the other: a reserved message must be sent.
  const noticing = Effect.andThen(
    answersWritten.await,
    takeNotices({ number, upstream_phone_number_id: due.upstream_phone_number_id }, state, owner)
  )
  const ends = yield* Effect.all([Effect.exit(sending), Effect.exit(noticing)], { concurrency: 2 })
  const [sent, noticed] = [yield* ends[0], yield* ends[1]]
  return orUndefined(Math.min(sent, noticed ?? never))
})

const never = Number.POSITIVE_INFINITY

const orUndefined = (instant: number): number | undefined => (instant === never ? undefined : instant)
