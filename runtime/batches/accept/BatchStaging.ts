import { type Slices, sliceLength } from "@carteiro/owners/Slices.ts"
import type { CreateBatch } from "@carteiro/schema/batches/CreateBatch.ts"
import type { Metadata } from "@carteiro/schema/messages/Metadata.ts"
import { type JsonText, jsonTextOrNull } from "@carteiro/tables/StoredJson.ts"
import type { FoundContact } from "../audience/ContactFilter.ts"
import type { Customers } from "./BatchValidation.ts"

/** A recipient before its batch is there. */
export interface StagedRecipient {
  readonly position: number
  /** E.164 with the leading plus, or the platform's id of a customer who hides their phone. */
  readonly phone: string
  readonly customer_key: string
  readonly variables: JsonText<Readonly<Record<string, string>>> | null
  readonly metadata: JsonText<Metadata> | null
}

/** Inline recipients as they are staged; of equal customers the first counts. gaps-2 H "Create body" */
export function* stagedInline(
  recipients: NonNullable<CreateBatch["recipients"]>,
  customers: Customers
): Slices<ReadonlyArray<StagedRecipient>> {
  const seen = new Set<string>()
  const staged: Array<StagedRecipient> = []
  for (const [index, customer] of customers.entries()) {
    if (index > 0 && index % sliceLength === 0) yield undefined
    if (seen.has(customer.key)) continue
    seen.add(customer.key)
    const { metadata, variables } = recipients[index] ?? {}
    staged.push({
      position: staged.length,
      phone: customer.id,
      customer_key: customer.key,
      variables: jsonTextOrNull(variables),
      metadata: jsonTextOrNull(metadata)
    })
  }
  return staged
}

/** Named contacts as they are staged, each once, in the order they were named in. */
export const stagedContacts = (
  ids: ReadonlyArray<string>,
  contacts: ReadonlyMap<string, FoundContact>
): ReadonlyArray<StagedRecipient> =>
  [...new Set(ids)].flatMap((id, position) => {
    const contact = contacts.get(id)
    return contact === undefined
      ? []
      : [{ position, phone: contact.phone, customer_key: contact.match_key, variables: null, metadata: null }]
  })
