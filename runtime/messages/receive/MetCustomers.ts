import type { Row } from "@carteiro/tables/Write.ts"
import { Effect } from "effect"
import type { CustomerIds, MetCustomer } from "../../customers/CustomerIds.ts"
import type { InboundItem } from "./InboundItem.ts"

/**
 * Returns the customers of captured messages whom the platform's id names, by the message's id: the one key of each,
 * after what was kept under two keys has been joined. Messages that name a phone come first, so that one without it
 * finds the phone. U-HID-03
 */
export const meetCustomers = Effect.fnUntraced(function* (
  items: ReadonlyArray<InboundItem>,
  customers: CustomerIds["Service"]
) {
  const met = new Map<string, MetCustomer>()
  const byId = new Map<string, Array<InboundItem>>()
  for (const item of items) {
    if (item.user_id === undefined || item.channel !== "chatapp") continue
    const others = byId.get(item.user_id)
    if (others === undefined) byId.set(item.user_id, [item])
    else if (item.customer_id === "") others.push(item)
    else others.unshift(item)
  }
  yield* Effect.forEach(
    byId,
    ([user_id, some]) =>
      Effect.forEach(
        some,
        ({ created_at, customer_id, customer_key, environment_id, id }) => {
          const phone = customer_id === "" ? undefined : { key: customer_key, phone: customer_id }
          return Effect.map(customers.meet(environment_id, { user_id, phone }, created_at), (customer) => {
            met.set(id, customer)
          })
        },
        { discard: true }
      ),
    { concurrency: "unbounded", discard: true }
  )
  return met
})

/** Returns the row that keeps the join of a met customer, for the commit of the message that told it. U-HID-03 */
export const claimRows = (customer: MetCustomer | undefined): ReadonlyArray<Row> =>
  customer?.claim === undefined ? [] : [customer.claim]

/**
 * True when a commit that was refused had such a row: another notice may have joined the customer meanwhile, whom the next
 * try reads anew. U-HID-03
 */
export const isClaimLost = (
  customer: MetCustomer | undefined,
  { environment_id, user_id = "" }: InboundItem,
  customers: CustomerIds["Service"]
): boolean => {
  if (customer?.claim === undefined) return false
  customers.forget(environment_id, user_id)
  return true
}
