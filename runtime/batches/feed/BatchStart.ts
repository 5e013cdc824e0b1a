import type { OwnerHandle } from "@carteiro/owners/Owner.ts"
import { type JsonText, readJson } from "@carteiro/tables/StoredJson.ts"
import { Effect } from "effect"
import { isSuspended } from "../../messages/Messages.ts"
import type { AudienceRepo } from "../audience/AudienceRepo.ts"
import type { StoredFilter } from "../audience/ContactFilter.ts"
import type { BatchRow } from "../batch/BatchRead.ts"
import { failBatch, findRecipients, insertRecipient, moveBatch } from "../batch/BatchWrites.ts"
import { written } from "./BatchFeeder.ts"
import type { FeedFacts, FeedRepo } from "./FeedRepo.ts"

/** Contacts one commit makes recipients of. */
const foundAtOnce = 200
const retryMs = 250

/** Services that the start of a batch needs. */
export interface StartDeps {
  readonly feed: FeedRepo["Service"]
  readonly audiences: AudienceRepo["Service"]
}

/** Moves a batch on, for its owner to look at it at once. */
export const moveOn = (batch: BatchRow, status: BatchRow["status"], owner: OwnerHandle) => {
  const now = owner.now()
  const row = moveBatch.row({
    environment_id: batch.environment_id,
    id: batch.id,
    from_status: batch.status,
    status,
    resumes: false,
    due_at: now,
    updated_at: now
  })
  return Effect.map(written(owner, [row]), (moved) => (moved ? now : now + retryMs))
}

/**
 * One step of a batch that is about to start: finds the contacts it goes to, then looks whether number and template are
 * still there. Answers when to look again. gaps-2 H "Batch states", gaps-2 H "Audiences"
 */
export const startBatch = Effect.fnUntraced(function* (batch: BatchRow, owner: OwnerHandle, deps: StartDeps) {
  if (batch.filter !== null) return yield* findSome(batch, batch.filter, owner, deps)
  const failure = failureOf(yield* deps.feed.facts(batch, 1), owner.now())
  if (failure === undefined) return yield* moveOn(batch, "processing", owner)
  const { environment_id, id } = batch
  const row = failBatch.row({ environment_id, id, ...failure, updated_at: owner.now() })
  return (yield* written(owner, [row])) ? undefined : owner.now() + retryMs
})

const findSome = Effect.fnUntraced(function* (
  batch: BatchRow,
  filter: JsonText<StoredFilter>,
  owner: OwnerHandle,
  { audiences }: StartDeps
) {
  const { environment_id, found_count, id } = batch
  const contacts = yield* audiences.findContacts(environment_id, readJson(filter), batch.found_through, foundAtOnce)
  const isAll = contacts.length < foundAtOnce
  const count = found_count + contacts.length
  const rows = [
    findRecipients.row({
      environment_id,
      id,
      from_count: found_count,
      found_through: contacts.at(-1)?.id ?? batch.found_through,
      found_count: count,
      filter: isAll ? null : filter,
      recipient_count: isAll ? count : Math.max(batch.recipient_count, count),
      updated_at: owner.now()
    }),
    ...contacts.map((contact, index) =>
      insertRecipient.row({
        environment_id,
        batch_id: id,
        position: found_count + index,
        phone: contact.phone,
        customer_key: contact.match_key
      })
    )
  ]
  return (yield* written(owner, rows)) ? owner.now() : owner.now() + retryMs
})

/** Why a batch cannot start. */
const failureOf = ({ number, template }: FeedFacts, now: number) => {
  if (template === "gone") return failure("template_not_found", "The template was deleted before the batch started.")
  if (template === "unapproved") {
    return failure("template_not_approved", "No version of the template is approved any more.")
  }
  if (number === undefined) return failure("phone_number_not_found", "The number left before the batch started.")
  if (isSuspended(number, now)) return failure("phone_service_suspended", "The management of the number is suspended.")
  return number.status === "released" || number.status === "disconnected"
    ? failure("sender_phone_number_unavailable", "The number was given up before the batch started.")
    : undefined
}

const failure = (failure_code: string, failure_message: string) => ({ failure_code, failure_message })
