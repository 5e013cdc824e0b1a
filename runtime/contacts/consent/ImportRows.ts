import { type Slices, sliceLength } from "@carteiro/owners/Slices.ts"
import type { ImportContacts } from "@carteiro/schema/contacts/Contact.ts"
import type { InvalidPhoneE164 } from "@carteiro/schema/messages/MessageErrors.ts"
import type { Metadata } from "@carteiro/schema/messages/Metadata.ts"
import { type JsonText, jsonText } from "@carteiro/tables/StoredJson.ts"
import { Result } from "effect"
import { type ContactPhone, readContactPhone } from "../contact/ContactPhone.ts"

/** A customer as a caller wrote them. */
export interface GivenCustomer extends ContactPhone {
  /** The platform's id that names them instead of a phone; undefined for a phone. U-HID-02 */
  readonly user_id: string | undefined
  /** Undefined without metadata. */
  readonly metadata: JsonText<Metadata> | undefined
}

/**
 * Returns the first refusal of the phones of an import, which refuses all of it. The schema refuses rows of another
 * shape. gaps-2 I "Bulk import results"
 */
export const refusedRow = (rows: ReadonlyArray<unknown>, region: string): InvalidPhoneE164 | undefined => {
  for (const [index, row] of rows.entries()) {
    const written = typeof row === "object" && row !== null && "phone" in row ? row.phone : undefined
    if (typeof written !== "string") continue
    const read = readContactPhone(written, region, `rows.${index}.phone`)
    if (Result.isFailure(read)) return read.failure
  }
  return undefined
}

/** Returns one customer of a body whose phone was checked by `read`. */
export const givenCustomer = (
  { metadata, phone, user_id }: ImportContacts["rows"][number],
  region: string,
  read: typeof readContactPhone = readContactPhone
): GivenCustomer => ({
  ...(user_id === undefined
    ? Result.getOrThrow(read(phone ?? "", region, "phone"))
    : { match_key: user_id, phone: "" }),
  user_id,
  metadata: metadata === undefined ? undefined : jsonText(metadata)
})

/**
 * Returns the customers of an import, each once and in the order of their first rows; for a repeated phone, in any
 * spelling, the first spelling and the last metadata count. M-CON-04, gaps-2 I "Bulk import results"
 */
export function* importedCustomers(rows: ImportContacts["rows"], region: string): Slices<ReadonlyArray<GivenCustomer>> {
  const customers = new Map<string, GivenCustomer>()
  for (const [index, row] of rows.entries()) {
    if (index > 0 && index % sliceLength === 0) yield undefined
    const given = givenCustomer(row, region)
    const before = customers.get(given.match_key)
    customers.set(
      given.match_key,
      before === undefined ? given : { ...before, metadata: given.metadata ?? before.metadata }
    )
  }
  return [...customers.values()]
}

/**
 * Returns each customer once after their keys were found: a phone and an id may name one person. The first address and
 * the last metadata count.
 */
export const eachOnce = (listed: ReadonlyArray<GivenCustomer>): ReadonlyArray<GivenCustomer> => {
  const customers = new Map<string, GivenCustomer>()
  for (const one of listed) {
    const before = customers.get(one.match_key)
    customers.set(
      one.match_key,
      before === undefined
        ? one
        : { ...before, user_id: before.user_id ?? one.user_id, metadata: one.metadata ?? before.metadata }
    )
  }
  return [...customers.values()]
}
