import { commitThen, type Decision, type OwnerHandle, refuse } from "@carteiro/owners/Owner.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import type { PhoneNumber } from "@carteiro/schema/phone-numbers/PhoneNumber.ts"
import { PhoneNumberNotFound, PhoneNumberNotTransferable } from "@carteiro/schema/phone-numbers/PhoneNumberErrors.ts"
import { Effect } from "effect"
import { type NumberReads, numberChanges, type TransferItem } from "../../phone-numbers/PhoneNumbers.ts"
import {
  type ForeignInstant,
  type ForeignTime,
  type ForeignTimes,
  inForeignTime
} from "../../tenancy/EnvironmentTime.ts"
import type { NumberState } from "../facts/SendingFacts.ts"
import type { TransferRepo } from "./TransferRepo.ts"
import { carrySlots } from "./TransferWrites.ts"

/** The facts that decide a transfer. */
export interface TransferFacts {
  /**
   * The number as the response shows it, except for its environment; undefined when it is not in the caller's
   * environment.
   */
  readonly number: PhoneNumber | undefined
  /** True when some of its messages are queued, held or being sent. */
  readonly hasWaiting: boolean
  /** The time of the environment that the number goes to. */
  readonly time: ForeignTime
}

/** The sources of the facts of transfers. */
export interface TransferDeps {
  readonly reads: NumberReads["Service"]
  readonly transfers: TransferRepo["Service"]
  readonly times: ForeignTimes
}

/**
 * Reads the facts of each transfer once all earlier acceptances are written, so that the commit's own check sees all
 * messages. gaps-2 K "Transfer fields"
 */
export const readTransferFacts = Effect.fnUntraced(function* (
  items: ReadonlyArray<TransferItem>,
  owner: OwnerHandle,
  { reads, times, transfers }: TransferDeps
) {
  yield* owner.settled
  return yield* Effect.forEach(items, (item) =>
    Effect.gen(function* () {
      const number = yield* reads.find(item, owner.id, owner.now())
      const hasWaiting = number !== undefined && (yield* transfers.hasWaiting(item.environment_id, owner.id))
      const time = yield* times(item.target_environment_id, owner)
      return { number, hasWaiting, time } satisfies TransferFacts
    })
  )
})

/**
 * Transfers the number to another environment, or refuses. Until the commit has ended no other batch is decided, and
 * all earlier ones are written: so every message of the number is on one side. M-TRF-06, gaps-2 K "Transfer fields"
 */
export const transferAll = (
  items: ReadonlyArray<TransferItem>,
  facts: ReadonlyArray<TransferFacts>,
  state: NumberState,
  owner: OwnerHandle,
  now: number
): ReadonlyArray<Decision<string>> =>
  items.map((item, index) => {
    const { hasWaiting = false, number = undefined, time = undefined } = facts[index] ?? {}
    if (number === undefined || time === undefined) return refuse(new PhoneNumberNotFound())
    const refusal = refusalOf(number, hasWaiting)
    if (refusal !== undefined) return refuse(refusal)
    // One transfer of a batch proceeds; the others are retried and find the number elsewhere.
    if (state.moving) return { _tag: "Commit", rows: [], completes: undefined, settle: () => ({ retry: "changed" }) }
    state.moving = true
    const text = JSON.stringify({ ...inTarget(number, inForeignTime(now, time)), trace_id: item.trace_id })
    return commitThen({
      rows: moveRows(item, owner.id, now, time),
      claim: item.claim,
      response: { status: 200, body: text },
      settle: (_keys, passed) => {
        // The owner's facts about the number and its slots belong to the former environment.
        owner.drop()
        return passed ? { ok: text } : { retry: "changed" }
      }
    })
  })

const refusalOf = ({ status }: PhoneNumber, hasWaiting: boolean): ApiError | undefined =>
  (status !== "active" && status !== "disconnected") || hasWaiting ? new PhoneNumberNotTransferable() : undefined

/** Returns the number as its new environment shows it: what has happened lies ahead of no clock. */
const inTarget = (number: PhoneNumber, at: ForeignInstant): PhoneNumber => {
  const past = <At extends string | null | undefined>(instant: At): At | string =>
    typeof instant === "string" ? formatTimestamp(Math.min(Date.parse(instant), at)) : instant
  const { numprov_management: management } = number
  return {
    ...number,
    recent_messages: [],
    created_at: past(number.created_at),
    activated_at: past(number.activated_at),
    upstream_health_synced_at: past(number.upstream_health_synced_at),
    numprov_management:
      management === null
        ? null
        : { ...management, enrolled_at: past(management.enrolled_at), ended_at: past(management.ended_at) },
    updated_at: formatTimestamp(at)
  }
}

const moveRows = (item: TransferItem, id: string, now: number, time: ForeignTime) => {
  const { api_key_id, environment_id, reason, target_environment_id } = item
  const moved_at = inForeignTime(now, time)
  const ahead_ms = time.aheadMs
  return [
    numberChanges.move({ environment_id, id, target_environment_id, ahead_ms, updated_at: moved_at }),
    numberChanges.moveEnrollment({ phone_number_id: id, environment_id: target_environment_id, at: moved_at }),
    carrySlots.row({ environment_id, business_id: id, target_environment_id, ahead_ms, at: now }),
    numberChanges.recordTransfer({
      environment_id,
      phone_number_id: id,
      transferred_at: now,
      target_environment_id,
      reason,
      api_key_id
    })
  ]
}
