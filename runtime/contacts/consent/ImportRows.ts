import { type Slices, sliceLength } from "@carteiro/owners/Slices.ts"
import type { ImportContacts } from "@carteiro/schema/contacts/Contact.ts"
import type { Metadata } from "@carteiro/schema/messages/Metadata.ts"
import { matchKey, phoneDigits } from "@carteiro/schema/messages/Vocabulary.ts"
import { type JsonText, jsonText } from "@carteiro/tables/StoredJson.ts"

/** A customer as a caller wrote them. */
export interface GivenCustomer {
  readonly match_key: string
  /** `+digits`. */
  readonly phone: string
  /** Undefined without metadata. */
  readonly metadata: JsonText<Metadata> | undefined
}

/** Returns one customer of a body whose phone the schema has validated. */
export const givenCustomer = (phone: string, metadata: Metadata | undefined): GivenCustomer => {
  const digits = phoneDigits(phone) ?? ""
  return {
    match_key: matchKey(digits),
    phone: `+${digits}`,
    metadata: metadata === undefined ? undefined : jsonText(metadata)
  }
}

/**
 * Returns the customers of an import, each once and in the order of their first rows; for a repeated phone, in any
 * spelling, the first spelling and the last metadata count. M-CON-04, gaps-2 I "Bulk import results"
 */
export function* importedCustomers(rows: ImportContacts["rows"]): Slices<ReadonlyArray<GivenCustomer>> {
  const customers = new Map<string, GivenCustomer>()
  for (const [index, { metadata, phone }] of rows.entries()) {
    if (index > 0 && index % sliceLength === 0) yield undefined
    const given = givenCustomer(phone, metadata)
    const before = customers.get(given.match_key)
    customers.set(
      given.match_key,
      before === undefined ? given : { ...before, metadata: given.metadata ?? before.metadata }
    )
  }
  return [...customers.values()]
}
