import { type Slices, sliceLength } from "@carteiro/owners/Slices.ts"
import { InvalidBatchRequest } from "@carteiro/schema/batches/BatchErrors.ts"
import type { BatchRecipientInput, CreateBatch } from "@carteiro/schema/batches/CreateBatch.ts"
import type { EnvironmentKind, RequestWarning } from "@carteiro/schema/conventions/Access.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { dayMs, parseTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { InvalidPhoneE164 } from "@carteiro/schema/messages/MessageErrors.ts"
import { hiddenCustomerType } from "@carteiro/schema/messages/Vocabulary.ts"
import { Result } from "effect"
import type { Customer, readPhone, readScenario, recipientWarning } from "../../messages/Messages.ts"

/** Malformed indexes that the message lists at most. M-BAT-14 */
const mostListed = 5
/** How far ahead a batch may be scheduled, in milliseconds. gaps-2 H "Create body" */
const scheduleHorizonMs = 30 * dayMs

/** The customers of inline recipients, in their order. */
export type Customers = ReadonlyArray<Customer>

/**
 * Reads every `to` by the rule of a send; with any malformed one nothing is accepted, the first gives the param and up to
 * five are listed. M-BAT-12..15
 */
export const checkRecipients =
  (read: typeof readPhone) =>
  ({ recipients }: Partial<CreateBatch>): Result.Result<Customers, InvalidPhoneE164> | undefined => {
    if (recipients === undefined || recipients === null) return undefined
    const customers: Array<Customer> = []
    const malformed: Array<number> = []
    for (const [index, { to, user_id }] of recipients.entries()) {
      const isHidden = typeof user_id === "string" && typeof to !== "string"
      const customer = isHidden
        ? Result.succeed<Customer>({ type: hiddenCustomerType, id: user_id, key: user_id })
        : typeof to === "string"
          ? read(to, "")
          : undefined
      if (customer !== undefined && Result.isSuccess(customer)) customers.push(customer.success)
      else if (malformed.push(index) > mostListed) break
    }
    const [first] = malformed
    return first === undefined ? Result.succeed(customers) : Result.fail(malformedPhones(first, malformed))
  }

const malformedPhones = (first: number, malformed: ReadonlyArray<number>): InvalidPhoneE164 => {
  const listed = malformed.slice(0, mostListed)
  const places = `${listed.length === 1 ? "index" : "indexes"} ${listed.join(", ")}`
  const more = malformed.length > mostListed ? " and more" : ""
  return new InvalidPhoneE164({
    param: `recipients.${first}.to`,
    message: `The phone numbers of recipients at ${places}${more} are not valid E.164 numbers; no batch was accepted.`
  })
}

/** Returns the first warning about the recipients of a batch. gaps-2 A "Phones outside `recipient.id`" */
export function* firstWarning(
  warningOf: typeof recipientWarning,
  customers: Customers
): Slices<RequestWarning | undefined> {
  for (const [index, customer] of customers.entries()) {
    if (index > 0 && index % sliceLength === 0) yield undefined
    const warning = warningOf(customer)
    if (warning !== undefined) return warning
  }
  return undefined
}

/**
 * Decides what depends on the clock and the environment: when it starts, and which scenario a sandbox plays for a recipient.
 * gaps-2 H "Create body", gaps-2 J "Scenario names"
 */
export const checkBatchForCaller =
  (read: typeof readScenario) =>
  (
    { recipients, scheduled_at }: Partial<CreateBatch>,
    caller: { readonly environment: EnvironmentKind },
    now: number
  ): ApiError | undefined => {
    const starts = typeof scheduled_at === "string" ? parseTimestamp(scheduled_at) : undefined
    if (starts !== undefined && (starts <= now || starts > now + scheduleHorizonMs)) {
      return new InvalidBatchRequest({
        param: "scheduled_at",
        message: "`scheduled_at`: expected an instant from now on, at most 30 days ahead."
      })
    }
    if (caller.environment !== "sandbox") return undefined
    const unknown = (recipients ?? []).findIndex((recipient) => !isPlayed(recipient, read))
    return unknown < 0
      ? undefined
      : new InvalidBatchRequest({ param: `recipients.${unknown}.metadata.sandbox_scenario` })
  }

const isPlayed = ({ metadata }: Partial<BatchRecipientInput>, read: typeof readScenario): boolean =>
  typeof metadata !== "object" || Result.isSuccess(read("sandbox", metadata, "template"))
