import type { OwnerHandle } from "@carteiro/owners/Owner.ts"
import { passing, type WorkerType } from "@carteiro/owners/Worker.ts"
import { Effect, Layer } from "effect"
import { InboxRepo, type VendorWork } from "./InboxRepo.ts"
import { deferred, finished, looksAgainAt } from "./VendorWork.ts"

/** A vendor's call about one subject. */
export interface ToldCall {
  /** The subject: the id of the owner that works on the call. */
  readonly subject: string
  /** The id of the stored call; ids of later calls are greater. */
  readonly id: string
  readonly vendor: string
  readonly body: Uint8Array
  /** Epoch milliseconds. */
  readonly received_at: number
}

/** Handles a call, possibly more than once. A defect has it retried with a log line, the result `again` without one. */
export type WorkOnCall = (call: ToldCall) => Effect.Effect<unknown>

const atOnce = 32

/**
 * Hosts owners that only handle a vendor's calls about things without an owner of their own, one call of a subject
 * after the other.
 */
export const vendorOwners = <Name extends string, E, R>(
  type: WorkerType<Name>,
  worker: Effect.Effect<WorkOnCall, E, R>
) => {
  const place = (owner: OwnerHandle) => ({ owner_type: type.name, owner_id: owner.id })

  const workOn = Effect.fnUntraced(function* (work: VendorWork, owner: OwnerHandle, run: WorkOnCall) {
    const { body, received_at, vendor } = work
    if (body === null) return finished(place(owner), work)
    return yield* Effect.matchCauseEffect(run({ subject: owner.id, id: work.webhook_id, vendor, body, received_at }), {
      onSuccess: (ended) =>
        Effect.succeed(
          ended === "again"
            ? deferred(place(owner), work, looksAgainAt(work.attempts, owner.now()) ?? null)
            : finished(place(owner), work)
        ),
      onFailure: (cause) => {
        const again = looksAgainAt(work.attempts, owner.now()) ?? null
        const told = Effect.logError("a vendor's call could not be worked on", { owner: owner.id, again }, cause)
        return Effect.as(told, deferred(place(owner), work, again))
      }
    })
  })

  return type
    .toLayer(
      Effect.gen(function* () {
        const repo = yield* InboxRepo
        const run = yield* Effect.orDie(worker)
        return passing(
          Effect.fnUntraced(function* (owner: OwnerHandle) {
            const { calls } = yield* repo.due(type.name, owner.id, owner.now(), atOnce)
            const rows = yield* Effect.forEach(calls, (work) => workOn(work, owner, run))
            if (rows.length > 0) yield* owner.commit([{ rows }])
            return yield* repo.nextAt(type.name, owner.id)
          })
        )
      })
    )
    .pipe(Layer.provide(InboxRepo.layer))
}
