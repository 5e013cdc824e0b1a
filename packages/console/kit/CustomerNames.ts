import type { CallerWithin } from "@carteiro/http-edge/TypedCalls.ts"
import type { ContactEntry, OptInStatus } from "@carteiro/schema/contacts/Contact.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { isUserId } from "@carteiro/schema/messages/Vocabulary.ts"
import { Effect } from "effect"
import { html, type Piece } from "./Html.ts"
import { unlessRefused } from "./OperationList.ts"
import { Operations } from "./Operations.ts"

/** Phones whose names one page reads at most; the rows of a file are told by their phones. */
const mostPhones = 100

/** The name and the consent of a customer, as pages show them beside the phone. */
export interface KnownCustomer {
  readonly name: string | null
  readonly opt_in_status: OptInStatus
}

/** Returns the read of customers by their phones, one operation a page; one who is no contact has no entry. */
export const makeKnownCustomers = Effect.map(
  Operations,
  ({ contactLookups }) =>
    (
      caller: CallerWithin,
      customers: ReadonlyArray<string | null>
    ): Effect.Effect<ReadonlyMap<string, KnownCustomer>, ApiError> => {
      const phones = [...new Set(customers)].filter((customer) => customer?.startsWith("+"))
      if (phones.length === 0 || phones.length > mostPhones) return Effect.succeed(new Map())
      return Effect.map(
        contactLookups.ofPhones(caller, { query: { phones: phones.join() } }),
        ({ data }) => new Map(data.map(({ phone, ...known }) => [phone, known]))
      )
    }
)

/** Returns the read of customers' names by their phones, one operation a page; a customer without a name has no entry. */
export const makeCustomerNames = Effect.map(
  makeKnownCustomers,
  (knownOf) =>
    (
      caller: CallerWithin,
      customers: ReadonlyArray<string | null>
    ): Effect.Effect<ReadonlyMap<string, string>, ApiError> =>
      Effect.map(
        knownOf(caller, customers),
        (known) => new Map([...known].flatMap(([phone, { name }]) => (name === null ? [] : [[phone, name] as const])))
      )
)

/**
 * Returns the read of one contact, by a phone or by the platform's id of a customer; undefined for one who is none, and for a
 * text by which nobody can be found.
 */
export const makeContactOf = Effect.map(
  Operations,
  ({ contacts }) =>
    (caller: CallerWithin, customer: string): Effect.Effect<ContactEntry | undefined, ApiError> => {
      const query = { ...(isUserId(customer) ? { user_id: customer } : { phone: customer }), limit: "1" }
      const nobody: { readonly data: ReadonlyArray<ContactEntry> } = { data: [] }
      return Effect.map(unlessRefused(contacts.list(caller, { query }), nobody), ({ data }) => data[0])
    }
)

/** Returns what stands for a customer, with the way to the contact where there is one. */
export const contactLink = (environmentId: string, contact: ContactEntry | undefined, shown: Piece): Piece =>
  contact === undefined ? shown : html`<a href="/dashboard/contacts/${environmentId}/${contact.id}">${shown}</a>`

/** Returns a customer of a list: the name with the phone behind it, else the phone alone. */
export const customerPiece = (phone: Piece, name: string | undefined): Piece =>
  name === undefined ? phone : html`<span class="given">${name}</span> <span class="muted">${phone}</span>`
