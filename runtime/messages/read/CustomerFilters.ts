import type { Caller } from "@carteiro/http-edge/Admission.ts"
import { InvalidMessagesQuery } from "@carteiro/schema/messages/MessageErrors.ts"
import { isUserId } from "@carteiro/schema/messages/Vocabulary.ts"
import { Effect } from "effect"
import { CustomerIds } from "../../customers/CustomerIds.ts"
import { refusedRecipient } from "../message/Recipient.ts"

/**
 * Returns what makes the filters of a list ready to be looked for: a phone is read in the project's region, and an id of the
 * platform finds the messages of the person, whatever named them. Refuses a recipient that is none. U-HID-03,
 * gaps-2 B "More list filters"
 */
export const makeRecipientFilter = Effect.map(CustomerIds, (customers) =>
  Effect.fnUntraced(function* <Filters extends { readonly recipient?: string }>(
    { default_region: region, environment_id }: Pick<Caller, "default_region" | "environment_id">,
    filters: Filters
  ) {
    const { recipient } = filters
    // A list without filters stays one, which comes from memory.
    if (recipient === undefined) return filters
    const refused = refusedRecipient(recipient, region)
    if (refused !== undefined) return yield* new InvalidMessagesQuery({ param: "recipient", message: refused })
    if (!isUserId(recipient)) return { ...filters, region }
    const { key } = yield* customers.find(environment_id, recipient)
    return { ...filters, region, recipient: isUserId(key) ? key : `+${key}` }
  })
)
