import { derivedId, ulidTimeOf } from "@carteiro/owners/Ids.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { hiddenCustomerType, isUserId } from "@carteiro/schema/messages/Vocabulary.ts"
import { readJsonOrNull } from "@carteiro/tables/StoredJson.ts"
import { Effect, Result } from "effect"
import type { SpendStanding } from "../../access/Access.ts"
import { type AcceptItem, makeAcceptItem, readRecipient } from "../../messages/Messages.ts"
import type { BatchRow } from "../batch/BatchRead.ts"
import type { FedRecipient } from "./FeedRepo.ts"
import { type FeedOutcome, outcomeOfRefusal } from "./FeedRules.ts"

/** Accepts one message at a number, as its owner does for a single send. */
export type AcceptMessage = (numberId: string, item: AcceptItem) => Effect.Effect<unknown, ApiError>

/** A recipient and what feeding it came to. */
export interface Fed {
  readonly recipient: FedRecipient
  readonly message_id: string
  readonly outcome: FeedOutcome
}

/**
 * The id of a recipient's message: recorded when it was refused once, else derived of the claim, so that feeding it again
 * after a crash is the same call. gaps-2 M "Job delivery"
 */
export const messageIdOf = (batch: Pick<BatchRow, "id">, recipient: FedRecipient, claimedAt: number): string =>
  recipient.message_id ?? derivedId("msg", claimedAt, recipient.position, batch.id)

/**
 * Feeds one recipient to the batch's number; `claimedAt` and `now` in epoch milliseconds. `standing` is what the
 * environment may spend by now: what was stored before it ended stays accepted. gaps-1 N "Monthly spend cap"
 */
export const feedRecipient = (
  batch: BatchRow,
  recipient: FedRecipient,
  claimedAt: number,
  now: number,
  standing: SpendStanding | undefined,
  accept: AcceptMessage
): Effect.Effect<Fed> => {
  const message_id = messageIdOf(batch, recipient, claimedAt)
  const ended = (outcome: FeedOutcome): Fed => ({ recipient, message_id, outcome })
  const item = feedItem(batch, recipient, message_id, standing)
  if (item === undefined) return Effect.succeed(ended(erased))
  return accept(batch.business_id, item).pipe(
    Effect.map(() => ended({ _tag: "Enqueued" })),
    Effect.catch((error) => Effect.succeed(ended(outcomeOfRefusal(error, recipient.first_refused_at, now)))),
    // Rows that were not written stay unwritten: the recipient fails, and the others go on.
    Effect.catchDefect((defect) =>
      Effect.as(
        Effect.logError("a recipient could not be fed", { batch: batch.id, position: recipient.position }, defect),
        ended(broken)
      )
    )
  )
}

/** Returns the send of a recipient; undefined once the customer was erased. */
export const feedItem = (
  batch: BatchRow,
  recipient: Pick<FedRecipient, "metadata" | "phone" | "variables">,
  message_id: string,
  standing: SpendStanding | undefined
): AcceptItem | undefined => {
  const { phone } = recipient
  const address = phone === null ? undefined : addressOf(phone)
  const customer = address === undefined ? undefined : readRecipient(address)
  if (address === undefined || customer === undefined || Result.isFailure(customer)) return undefined
  const variables = readJsonOrNull(recipient.variables)
  const header_media = readJsonOrNull(batch.header_media)
  const metadata = readJsonOrNull(recipient.metadata)
  const item = makeAcceptItem(
    {
      caller: { environment_id: batch.environment_id, environment: batch.environment, ...standing },
      traceId: batch.trace_id,
      now: ulidTimeOf(message_id),
      body: {
        channel: "chatapp",
        sender: { type: "chatapp_phone_number", id: batch.business_id },
        recipient: address,
        message: {
          type: "template",
          template: {
            name: batch.template_name,
            language: batch.template_language,
            ...(variables === null ? {} : { variables }),
            ...(header_media === null ? {} : { header_media })
          }
        },
        ...(metadata === null ? {} : { metadata })
      }
    },
    message_id,
    customer.success
  )
  return Result.isFailure(item) ? undefined : { ...item.success, batch_id: batch.id }
}

/** Returns the address of a recipient: a customer without a phone is stored by the platform's id. U-HID-02 */
const addressOf = (phone: string) => ({ type: isUserId(phone) ? hiddenCustomerType : "phone_e164", id: phone }) as const

const refused = (code: string, message: string): FeedOutcome => ({
  _tag: "Refused",
  code,
  message,
  guard_reason: null,
  next_allowed_at: null,
  isSkip: false
})

const erased = refused("contact_not_found", "The recipient was erased before a message was made.")
const broken = refused("internal_error", "Something failed on our side.")
