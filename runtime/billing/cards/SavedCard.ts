import type { PaymentMethod } from "@carteiro/schema/billing/PaymentMethod.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import type { cardColumns } from "./CardTables.ts"

/** A card of an account; instants in epoch milliseconds. C-CARD-01..03 */
export type SavedCard = SelectedRow<typeof cardColumns>

/** The account's customer at the card processor, and the card that pays by default. C-CARD-10 */
export interface CardCustomer {
  readonly id: string
  readonly default_payment_method_id: string | null
  readonly created_at: number
}

/** The most active cards of an account. gaps-3 E "Saved cards" */
export const mostActiveCards = 10

/** Returns a saved card as reads show it. C-CARD-01 */
export const readCard = (
  { brand, created_at, exp_month, exp_year, id, last4, status, updated_at }: SavedCard,
  defaultId: string | null
): Omit<PaymentMethod, "trace_id"> => ({
  id,
  object: "billing_payment_method",
  type: "card",
  brand,
  last4,
  exp_month,
  exp_year,
  is_default: status === "active" && id === defaultId,
  status,
  created_at: formatTimestamp(created_at),
  updated_at: formatTimestamp(updated_at)
})

/** Returns the active cards in list order: the default first, then the newest. gaps-3 E "Saved cards" */
export const inListOrder = (cards: Iterable<SavedCard>, defaultId: string | null): ReadonlyArray<SavedCard> =>
  [...cards]
    .filter(({ status }) => status === "active")
    .sort((one, other) => {
      if (one.id === defaultId) return -1
      if (other.id === defaultId) return 1
      return other.created_at - one.created_at || (one.id < other.id ? 1 : -1)
    })
