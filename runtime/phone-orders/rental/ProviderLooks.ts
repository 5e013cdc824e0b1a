import type { NumberAccount, NumberCall, ProviderOrder } from "@carteiro/provider/NumberProvider.ts"
import { Effect } from "effect"
import { missings } from "./Missings.ts"
import { orderName, type Rental, type RentalSeen } from "./Rental.ts"

/**
 * Places the order of a rental. After a refusal the provider has no order; an order whose answer was lost is looked up
 * and never placed again. gaps-2 K "Number provider calls"
 */
export const placeOrder = (account: NumberAccount, rental: Rental): Effect.Effect<RentalSeen> =>
  Effect.map(account.order({ external_id: orderName(rental), ddd: rental.ddd }), (call) =>
    seenOf(call, rental, { isRefused: true })
  )

/** Reads the order of a rental at the provider. */
export const lookAtOrder = (account: NumberAccount, rental: Rental): Effect.Effect<RentalSeen> =>
  rental.provider_order_id === null
    ? Effect.map(account.findOrder(orderName(rental)), (call) =>
        call._tag === "Done" && call.value === null
          ? { _tag: "NoOrder" }
          : seenOf(call as NumberCall<ProviderOrder>, rental, {})
      )
    : Effect.map(account.orderById(rental.provider_order_id), (call) => seenOf(call, rental, {}))

/** Returns a number to the provider; an unknown number counts as returned. */
export const giveBack = (account: NumberAccount, numberId: string): Effect.Effect<RentalSeen> =>
  Effect.map(account.release(numberId), (call) => {
    if (call._tag === "Done") return { _tag: "Returned" }
    if (call._tag === "Unknown") return { _tag: "Missed", reason: missings.unknown }
    return call.code === "not_found" ? { _tag: "Returned" } : { _tag: "Missed", reason: missings.refused(call.code) }
  })

const seenOf = (
  call: NumberCall<ProviderOrder>,
  rental: Rental,
  refusal: { readonly isRefused?: boolean }
): RentalSeen => {
  if (call._tag === "Unknown") return { _tag: "Missed", reason: missings.unknown }
  if (call._tag === "Refused") return { _tag: "Missed", reason: missings.refused(call.code), ...refusal }
  // An answer about another order does not count.
  if (call.value.external_id !== orderName(rental)) return { _tag: "Missed", reason: missings.unknown }
  return { _tag: "Order", order: call.value }
}
