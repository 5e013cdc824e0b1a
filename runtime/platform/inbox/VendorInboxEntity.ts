import { Context, Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql"
import type { Commit } from "../commit/Commit.ts"
import type { Ids } from "../ids/Ids.ts"
import type { Outbox } from "../outbox/Outbox.ts"
import type { Activations } from "../owner/activation/Activations.ts"
import { defineOwner, type OwnerHandle } from "../owner/Owner.ts"
import { InboxRepo, type VendorWork } from "./InboxRepo.ts"
import { deferred, finished, looksAgainAt } from "./VendorInbox.ts"

/** What a room does with calls of a vendor that name no owner of their own; it may see one call more than once. */
export interface VendorWorker {
  readonly vendor: string
  /** `subject` is what the call is about, as its receiver named it. A defect has it tried again. */
  readonly run: (
    subject: string,
    call: { readonly body: Uint8Array; readonly received_at: number }
  ) => Effect.Effect<void>
}

/** What a worker may be made of. */
export type VendorWorkerServices = SqlClient.SqlClient | Commit | Ids | Outbox | Activations

/** Every room's workers. */
export const VendorWorkers = Context.Reference<ReadonlyArray<VendorWorker>>(
  "@carteiro/runtime/platform/inbox/VendorWorkers",
  { defaultValue: () => [] }
)

/**
 * Works on vendors' calls about things without an owner, one subject after the other: id `<vendor>/<subject>`.
 * Architecture, section 2 "no owner"
 */
export const VendorInboxEntity = defineOwner("VendorInbox", {})

/** The id of the owner for a subject. */
export const inboxOf = (vendor: string, subject: string): string => `${vendor}/${subject}`

const atOnce = 32

const hosted = VendorInboxEntity.toLayer(
  Effect.gen(function* () {
    const repo = yield* InboxRepo
    const workers = yield* VendorWorkers

    const workOn = Effect.fnUntraced(function* (work: VendorWork, owner: OwnerHandle) {
      const { body } = work
      const place = { owner_type: VendorInboxEntity.name, owner_id: owner.id }
      if (body === null) return finished(place, work)
      const subject = owner.id.slice(work.vendor.length + 1)
      const call = { body, received_at: work.received_at }
      const all = Effect.forEach(
        workers.filter(({ vendor }) => vendor === work.vendor),
        ({ run }) => run(subject, call),
        { discard: true }
      )
      return yield* Effect.matchCauseEffect(all, {
        onSuccess: () => Effect.succeed(finished(place, work)),
        onFailure: (cause) => {
          const again = looksAgainAt(work.attempts, owner.now()) ?? null
          return Effect.as(
            Effect.logError("a vendor's call could not be worked on", { owner: owner.id, again }, cause),
            deferred(place, work, again)
          )
        }
      })
    })

    return {
      load: (owner) =>
        Effect.sync(() => {
          owner.dueAt(owner.now() + 1)
          return {}
        }),
      work: Effect.fnUntraced(function* (_state: object, owner) {
        const due = yield* repo.due(VendorInboxEntity.name, owner.id, owner.now(), atOnce)
        const rows = yield* Effect.forEach(due, (work) => workOn(work, owner))
        if (rows.length > 0) yield* owner.commit([{ rows }])
        return yield* repo.nextAt(VendorInboxEntity.name, owner.id)
      }),
      handlers: {}
    }
  })
)

/** Hosts them. */
export const vendorInboxOwners = hosted.pipe(Layer.provide(InboxRepo.layer))
