import type { CallerWithin } from "@carteiro/http-edge/TypedCalls.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Effect } from "effect"
import { html, type Piece } from "./Html.ts"
import { Operations } from "./Operations.ts"

/** Phones whose names one page reads at most; the rows of a file are told by their phones. */
const mostPhones = 100

/** Returns the read of customers' names by their phones, one operation a page; a customer without a name has no entry. */
export const makeCustomerNames = Effect.map(
  Operations,
  ({ contactLookups }) =>
    (
      caller: CallerWithin,
      customers: ReadonlyArray<string | null>
    ): Effect.Effect<ReadonlyMap<string, string>, ApiError> => {
      const phones = [...new Set(customers)].filter((customer) => customer?.startsWith("+"))
      if (phones.length === 0 || phones.length > mostPhones) return Effect.succeed(new Map())
      return Effect.map(
        contactLookups.ofPhones(caller, { query: { phones: phones.join() } }),
        ({ data }) => new Map(data.map(({ name, phone }) => [phone, name]))
      )
    }
)

/** Returns a customer of a list: the name with the phone behind it, else the phone alone. */
export const customerPiece = (phone: Piece, name: string | undefined): Piece =>
  name === undefined ? phone : html`<span class="given">${name}</span> <span class="muted">${phone}</span>`
