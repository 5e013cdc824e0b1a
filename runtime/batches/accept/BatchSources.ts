import { parseId } from "@carteiro/owners/Ids.ts"
import { inTurns } from "@carteiro/owners/Slices.ts"
import { AudienceNotFound } from "@carteiro/schema/batches/BatchErrors.ts"
import type { CreateBatch } from "@carteiro/schema/batches/CreateBatch.ts"
import { ContactNotFound } from "@carteiro/schema/contacts/ContactErrors.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { SpendLimitExceeded } from "@carteiro/schema/messages/MessageErrors.ts"
import { hiddenCustomerType } from "@carteiro/schema/messages/Vocabulary.ts"
import { PhoneNumberNotFound, PhoneServiceSuspended } from "@carteiro/schema/phone-numbers/PhoneNumberErrors.ts"
import { TemplateNotApproved, TemplateNotFound } from "@carteiro/schema/templates/TemplateErrors.ts"
import { readJson } from "@carteiro/tables/StoredJson.ts"
import { Effect } from "effect"
import { CustomerIds } from "../../customers/CustomerIds.ts"
import { isSuspended, PacingEstimates } from "../../messages/Messages.ts"
import { TemplateHints } from "../../templates/Templates.ts"
import { AudienceRepo } from "../audience/AudienceRepo.ts"
import { storedFilter } from "../audience/ContactFilter.ts"
import type { BatchRow } from "../batch/BatchRead.ts"
import { stagedContacts, stagedInline } from "./BatchStaging.ts"
import type { Customers } from "./BatchValidation.ts"
import type { Addressees, BatchCall } from "./NewBatch.ts"
import { type BatchFacts, StageRepo } from "./StageRepo.ts"

/** Reads what a new batch stands on: its template and number, to whom it goes, and how long it will take. */
export const batchSources = Effect.gen(function* () {
  const stages = yield* StageRepo
  const audiences = yield* AudienceRepo
  const pacing = yield* PacingEstimates
  const hints = yield* TemplateHints
  const ids = yield* CustomerIds

  /** The template is looked at before anything else. M-BAT-16 */
  const template = Effect.fnUntraced(function* ({ caller, now }: BatchCall, body: CreateBatch) {
    const { environment_id } = caller
    // A text that is no id names no number, and must not reach a statement.
    const senderId = parseId("pn", body.sender.id) ? body.sender.id : ""
    const facts = yield* stages.facts(environment_id, senderId, body.template)
    const found = yield* facts.template === undefined
      ? missing(environment_id, body.template.name)
      : approved(facts.template)
    yield* usable(facts, now)
    if (caller.over_spend_cap) return yield* new SpendLimitExceeded()
    return found
  })

  const missing = Effect.fnUntraced(function* (environmentId: string, name: string) {
    const message = yield* hints.forMissing(environmentId, name)
    return yield* new TemplateNotFound({
      param: "template.name",
      ...(message === undefined ? undefined : { message })
    })
  })

  /** Customers whom an id of the platform addresses get the one key of their person, and their phone where it is known. */
  const addressed = (environmentId: string, given: Customers): Effect.Effect<Customers> =>
    given.every(({ type }) => type !== hiddenCustomerType)
      ? Effect.succeed(given)
      : Effect.forEach(
          given,
          (customer) =>
            customer.type === hiddenCustomerType
              ? Effect.map(ids.find(environmentId, customer.id), ({ key, phone }) => ({
                  ...customer,
                  key,
                  id: phone === "" ? key : phone
                }))
              : Effect.succeed(customer),
          { concurrency: "unbounded" }
        )

  const addressees = Effect.fnUntraced(function* (
    environmentId: string,
    { audience, audience_id, recipients }: CreateBatch,
    customers: Customers | undefined
  ) {
    if (recipients && customers !== undefined) {
      return {
        _tag: "Staged",
        recipients: yield* inTurns(environmentId, stagedInline(recipients, yield* addressed(environmentId, customers)))
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

  return { template, addressees, estimate, audiences }
})

/** The version that is used, resolved before anything else is looked at. M-BAT-16, gaps-2 B "Template resolution" */
const approved = ({
  category,
  components,
  id,
  parameter_format,
  version,
  version_id
}: NonNullable<BatchFacts["template"]>) => {
  return version_id === null ||
    version === null ||
    parameter_format === null ||
    components === null ||
    category === null
    ? Effect.fail(new TemplateNotApproved({ param: "template.name" }))
    : Effect.succeed({ id, version_id, version, parameter_format, category, components: readJson(components) })
}

const usable = ({ sender }: BatchFacts, now: number): Effect.Effect<void, ApiError> => {
  if (sender === undefined) return Effect.fail(new PhoneNumberNotFound({ param: "sender.id" }))
  return isSuspended(sender, now) ? Effect.fail(new PhoneServiceSuspended()) : Effect.void
}
