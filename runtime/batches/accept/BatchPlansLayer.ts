import { derivedId, Ids } from "@carteiro/owners/Ids.ts"
import { inTurns, type Slices, sliceLength } from "@carteiro/owners/Slices.ts"
import { type CreateBatch, mostRecipients } from "@carteiro/schema/batches/CreateBatch.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { InvalidPhoneE164 } from "@carteiro/schema/messages/MessageErrors.ts"
import { Effect, Layer, Result } from "effect"
import {
  type Customer,
  hiddenCustomer,
  PacingEstimates,
  readPhone,
  readScenario,
  SendOutlook
} from "../../messages/Messages.ts"
import { checkTemplateParameters, type TemplateNeeds, templateNeeds } from "../../templates/Templates.ts"
import { feedItem } from "../feed/FeedCalls.ts"
import { checkBatchParameters, variablesMismatch } from "./BatchParameters.ts"
import { BatchPlans, type FaultyRecipient, type HeldRecipient } from "./BatchPlans.ts"
import { batchSources } from "./BatchSources.ts"
import type { StagedRecipient } from "./BatchStaging.ts"
import { checkBatchForCaller } from "./BatchValidation.ts"
import { type Addressees, newBatch } from "./NewBatch.ts"

/** Recipients that one look is for. */
const judgedAtOnce = 250

/** Reads what the acceptance and the number would read, and decides with their functions. Decision 0071 */
export const batchPlansLayer = Layer.effect(
  BatchPlans,
  Effect.gen(function* () {
    const sources = yield* batchSources
    const outlook = yield* SendOutlook
    const pacing = yield* PacingEstimates
    const ids = yield* Ids

    /** Reads the contacts that an audience has now. */
    const judged = Effect.fnUntraced(function* (environmentId: string, addressees: Addressees) {
      if (addressees._tag === "Staged") return addressees.recipients
      const found: Array<StagedRecipient> = []
      let after = ""
      while (found.length < mostRecipients) {
        const contacts = yield* sources.audiences.findContacts(environmentId, addressees.filter, after, judgedAtOnce)
        for (const { match_key, phone } of contacts) {
          found.push({ position: found.length, phone, customer_key: match_key, variables: null, metadata: null })
        }
        after = contacts.at(-1)?.id ?? ""
        if (contacts.length < judgedAtOnce) break
      }
      return found
    })

    return BatchPlans.of({
      plan: Effect.fn("BatchPlans.plan")(function* (call, body) {
        const { caller, now } = call
        const { environment_id } = caller
        const early = checkBatchForCaller(readScenario)(body, caller, now)
        if (early !== undefined) return yield* early
        const template = yield* sources.template(call, body)
        const needs = templateNeeds(template)
        const sorted = yield* inTurns(environment_id, sortedRecipients(needs, body))
        const taken = sorted === undefined ? body : { ...body, recipients: sorted.recipients }
        const addressees = yield* sources.addressees(environment_id, taken, sorted?.customers)
        const refusal =
          sorted === undefined
            ? yield* inTurns(environment_id, checkBatchParameters(checkTemplateParameters, needs, body))
            : sorted.refusal
        if (refusal !== undefined) return yield* refusal
        const recipients = yield* judged(environment_id, addressees)
        const batch = newBatch(call, ids.mint("bat", now), body, template, addressees)
        const held: Array<HeldRecipient> = []
        for (let from = 0; from < recipients.length; from += judgedAtOnce) {
          const some = recipients.slice(from, from + judgedAtOnce).flatMap((recipient) => {
            const item = feedItem(batch, recipient, derivedId("msg", now, recipient.position, batch.id), undefined)
            return item === undefined ? [] : [{ item, phone: recipient.phone }]
          })
          const refusals = yield* outlook.refusals(
            batch.business_id,
            some.map(({ item }) => item),
            now
          )
          for (const [index, { phone }] of some.entries()) {
            const error = refusals[index]
            if (error !== undefined) held.push({ phone, error })
          }
        }
        const keys = recipients.map(({ customer_key }) => customer_key)
        return {
          recipient_count: batch.recipient_count,
          judged_count: recipients.length,
          faulty: sorted?.faulty ?? [],
          repeated: sorted?.repeated ?? [],
          held,
          pacing: yield* pacing.estimateBatch({ environment_id, id: batch.business_id }, keys, now),
          category: template.category
        }
      })
    })
  })
)

interface SortedRecipients {
  readonly recipients: NonNullable<CreateBatch["recipients"]>
  readonly customers: ReadonlyArray<Customer>
  readonly faulty: ReadonlyArray<FaultyRecipient>
  readonly repeated: ReadonlyArray<number>
  /** Set when the template can have no values for anybody. */
  readonly refusal: ApiError | undefined
}

/** Sorts inline recipients by what becomes of them, in the order of the checks of a batch. M-BAT-12..21 */
function* sortedRecipients(needs: TemplateNeeds, body: CreateBatch): Slices<SortedRecipients | undefined> {
  const given = body.recipients
  if (given === undefined || given === null) return undefined
  const recipients: Array<(typeof given)[number]> = []
  const customers: Array<Customer> = []
  const faulty: Array<FaultyRecipient> = []
  const repeated: Array<number> = []
  const seen = new Set<string>()
  const { header_media } = body.template
  for (const [index, recipient] of given.entries()) {
    if (index > 0 && index % sliceLength === 0) yield undefined
    const customer =
      typeof recipient.to === "string"
        ? readPhone(recipient.to, `recipients.${index}.to`)
        : Result.succeed(hiddenCustomer(recipient.user_id ?? ""))
    const error = Result.isFailure(customer)
      ? new InvalidPhoneE164({ param: `recipients.${index}.to` })
      : variablesMismatch(checkTemplateParameters, needs, { variables: recipient.variables, header_media }, index)
    if (error !== undefined && !error.param?.startsWith("recipients."))
      return { recipients, customers, faulty, repeated, refusal: error }
    if (error !== undefined) faulty.push({ index, error })
    else if (Result.isSuccess(customer) && seen.has(customer.success.key)) repeated.push(index)
    else if (Result.isSuccess(customer)) {
      seen.add(customer.success.key)
      recipients.push(recipient)
      customers.push(customer.success)
    }
  }
  return { recipients, customers, faulty, repeated, refusal: undefined }
}
