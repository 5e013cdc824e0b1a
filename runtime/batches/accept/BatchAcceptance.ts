import { type Reply, reply } from "@carteiro/http-edge/Reply.ts"
import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids, parseId } from "@carteiro/owners/Ids.ts"
import { inTurns } from "@carteiro/owners/Stretches.ts"
import { AudienceNotFound } from "@carteiro/schema/batches/BatchErrors.ts"
import type { CreateBatch } from "@carteiro/schema/batches/CreateBatch.ts"
import { ContactNotFound } from "@carteiro/schema/contacts/ContactErrors.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { ServiceUnavailable } from "@carteiro/schema/conventions/SharedErrors.ts"
import { clean } from "@carteiro/schema/conventions/Text.ts"
import { parseTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { SpendLimitExceeded } from "@carteiro/schema/messages/MessageErrors.ts"
import { PhoneNumberNotFound, PhoneServiceSuspended } from "@carteiro/schema/phone-numbers/PhoneNumberErrors.ts"
import { TemplateNotApproved, TemplateNotFound } from "@carteiro/schema/templates/TemplateErrors.ts"
import { jsonText, jsonTextOrNull, readJson } from "@carteiro/tables/StoredJson.ts"
import { Context, Effect, Layer } from "effect"
import { isSuspended, PacingEstimates } from "../../messages/Messages.ts"
import { checkTemplateParameters, TemplateHints, templateNeeds } from "../../templates/Templates.ts"
import type { ApiCall } from "../../tenancy/ApiCall.ts"
import { AudienceRepo } from "../audience/AudienceRepo.ts"
import { type StoredFilter, storedFilter } from "../audience/ContactFilter.ts"
import { type BatchRow, readBatch } from "../batch/BatchRead.ts"
import { publishBatch } from "../batch/BatchWrites.ts"
import { checkBatchParameters } from "./BatchParameters.ts"
import { type StagedRecipient, stagedContacts, stagedInline } from "./BatchStaging.ts"
import type { Customers } from "./BatchValidation.ts"
import { type BatchFacts, type StageKey, StageRepo } from "./StageRepo.ts"

type BatchCall = ApiCall<"environment_id" | "environment" | "over_spend_cap">

/** Recipients one statement stages. */
const stagedAtOnce = 500

/** To whom a batch goes: recipients that come with it, or contacts that are found when it starts. */
type Addressees =
  | { readonly _tag: "Staged"; readonly recipients: ReadonlyArray<StagedRecipient> }
  | { readonly _tag: "Filtered"; readonly filter: StoredFilter; readonly count: number }

/**
 * Takes batches in: recipients are staged in statements of their own, and one small commit makes the batch of them together
 * with its idempotency record, so that ten thousand recipients delay no other caller. M-BAT-12..22
 */
export class BatchAcceptance extends Context.Service<
  BatchAcceptance,
  {
    /** Answers the 202 and the id of the batch. `customers` are those of inline recipients. */
    accept(
      call: BatchCall,
      body: CreateBatch,
      customers: Customers | undefined
    ): Effect.Effect<{ readonly id: string; readonly answer: Reply }, ApiError>
  }
>()("@carteiro/runtime/batches/accept/BatchAcceptance") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const stages = yield* StageRepo
      const audiences = yield* AudienceRepo
      const pacing = yield* PacingEstimates
      const commit = yield* Commit
      const ids = yield* Ids
      const hints = yield* TemplateHints

      const missing = Effect.fnUntraced(function* (environmentId: string, name: string) {
        const message = yield* hints.forMissing(environmentId, name)
        return yield* new TemplateNotFound({
          param: "template.name",
          ...(message === undefined ? undefined : { message })
        })
      })

      const address = Effect.fnUntraced(function* (
        environmentId: string,
        { audience, audience_id, recipients }: CreateBatch,
        customers: Customers | undefined
      ) {
        if (recipients && customers !== undefined) {
          return {
            _tag: "Staged",
            recipients: yield* inTurns(environmentId, stagedInline(recipients, customers))
          } as const
        }
        if (audience?.contact_ids) {
          return { _tag: "Staged", recipients: yield* named(environmentId, audience.contact_ids) } as const
        }
        const filter = audience?.filter ? storedFilter(audience.filter) : yield* saved(environmentId, audience_id ?? "")
        return { _tag: "Filtered", filter, count: yield* audiences.countContacts(environmentId, filter) } as const
      })

      const named = Effect.fnUntraced(function* (environmentId: string, contactIds: ReadonlyArray<string>) {
        const known = contactIds.filter((id) => parseId("con", id))
        const contacts = yield* audiences.namedContacts(environmentId, known)
        const found = new Map(contacts.map((contact) => [contact.id, contact]))
        const missing = contactIds.findIndex((id) => !found.has(id))
        if (missing >= 0) return yield* new ContactNotFound({ param: `audience.contact_ids.${missing}` })
        return stagedContacts(contactIds, found)
      })

      const saved = Effect.fnUntraced(function* (environmentId: string, id: string) {
        const audience = parseId("aud", id) ? yield* audiences.find(environmentId, id) : undefined
        return audience === undefined ? yield* new AudienceNotFound({ param: "audience_id" }) : audience.filter
      })

      /** Contacts that are found later cannot be told from those the number knows. M-BAT-03, M-BAT-07 */
      const estimate = (batch: BatchRow, addressees: Addressees, now: number) =>
        addressees._tag === "Filtered"
          ? Effect.succeed(null)
          : pacing.estimateBatch(
              { environment_id: batch.environment_id, id: batch.business_id },
              addressees.recipients.map(({ customer_key }) => customer_key),
              now
            )

      const stage = Effect.fnUntraced(function* (
        key: StageKey,
        recipients: ReadonlyArray<StagedRecipient>,
        at: number
      ) {
        yield* stages.open(key, at)
        for (let from = 0; from < recipients.length; from += stagedAtOnce) {
          yield* stages.add(key, recipients.slice(from, from + stagedAtOnce))
        }
      })

      return BatchAcceptance.of({
        accept: Effect.fn("BatchAcceptance.accept")(function* (call, body, customers) {
          const { caller, claim, now } = call
          const { environment_id } = caller
          // A text that is no id names no number, and must not reach a statement.
          const senderId = parseId("pn", body.sender.id) ? body.sender.id : ""
          const facts = yield* stages.facts(environment_id, senderId, body.template)
          const template = yield* facts.template === undefined
            ? missing(environment_id, body.template.name)
            : approved(facts.template)
          yield* usable(facts, now)
          if (caller.over_spend_cap) return yield* new SpendLimitExceeded()
          const addressees = yield* address(environment_id, body, customers)
          const refusal = yield* inTurns(
            environment_id,
            checkBatchParameters(checkTemplateParameters, templateNeeds(template), body)
          )
          if (refusal !== undefined) return yield* refusal
          const id = ids.mint("bat", now)
          const batch = newBatch(call, id, body, template, addressees)
          const answer = reply(call, 202, readBatch(batch, yield* estimate(batch, addressees, now)))
          const key = { environment_id, batch_id: id }
          const published = stage(key, addressees._tag === "Staged" ? addressees.recipients : [], now).pipe(
            Effect.andThen(commit.write([rowOf(batch)], { claim, response: answer })),
            Effect.filterOrFail(
              (written) => written(publishBatch.name).has(id),
              () => new ServiceUnavailable({ retry_after_ms: 1000 })
            )
          )
          yield* Effect.onError(published, () => stages.abandon(key))
          return { id, answer }
        })
      })
    })
  )
}

/** The version that is used, resolved before anything else is looked at. M-BAT-16, gaps-2 B "Template resolution" */
const approved = ({ components, id, parameter_format, version, version_id }: NonNullable<BatchFacts["template"]>) => {
  return version_id === null || version === null || parameter_format === null || components === null
    ? Effect.fail(new TemplateNotApproved({ param: "template.name" }))
    : Effect.succeed({ id, version_id, version, parameter_format, components: readJson(components) })
}

const usable = ({ sender }: BatchFacts, now: number): Effect.Effect<void, ApiError> => {
  if (sender === undefined) return Effect.fail(new PhoneNumberNotFound({ param: "sender.id" }))
  return isSuspended(sender, now) ? Effect.fail(new PhoneServiceSuspended()) : Effect.void
}

const newBatch = (
  { caller, now, traceId }: BatchCall,
  id: string,
  body: CreateBatch,
  template: { readonly id: string; readonly version_id: string; readonly version: number },
  addressees: Addressees
): BatchRow => {
  const scheduled_at = body.scheduled_at ? (parseTimestamp(body.scheduled_at) ?? null) : null
  return {
    environment_id: caller.environment_id,
    id,
    environment: caller.environment,
    name: body.name ? clean(body.name) : null,
    status: scheduled_at === null ? "queued" : "scheduled",
    business_id: body.sender.id,
    template_name: body.template.name,
    template_language: body.template.language,
    template_id: template.id,
    template_version_id: template.version_id,
    template_version: template.version,
    header_media: jsonTextOrNull(body.template.header_media),
    filter: addressees._tag === "Filtered" ? jsonText(addressees.filter) : null,
    found_through: "",
    found_count: 0,
    recipient_count: addressees._tag === "Filtered" ? addressees.count : addressees.recipients.length,
    position: 0,
    claimed_to: null,
    claimed_at: null,
    enqueued_count: 0,
    refused_count: 0,
    recipient_guard_skipped_count: 0,
    sent_count: 0,
    delivered_count: 0,
    read_count: 0,
    failed_count: 0,
    skipped_count: 0,
    cancelled_count: 0,
    gone: 0,
    metadata: jsonTextOrNull(body.metadata),
    scheduled_at,
    resumed: false,
    failure_code: null,
    failure_message: null,
    trace_id: traceId,
    due_at: scheduled_at ?? now,
    created_at: now,
    updated_at: now
  }
}

const rowOf = (batch: BatchRow) =>
  publishBatch.row({
    environment_id: batch.environment_id,
    id: batch.id,
    environment: batch.environment,
    name: batch.name,
    status: batch.status,
    channel: "chatapp",
    business_id: batch.business_id,
    template_name: batch.template_name,
    template_language: batch.template_language,
    template_id: batch.template_id,
    template_version_id: batch.template_version_id,
    template_version: batch.template_version,
    header_media: batch.header_media,
    filter: batch.filter,
    recipient_count: batch.recipient_count,
    metadata: batch.metadata,
    scheduled_at: batch.scheduled_at,
    trace_id: batch.trace_id,
    due_at: batch.due_at,
    created_at: batch.created_at
  })
