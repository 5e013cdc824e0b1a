import type { NumberAccount, NumberCall, ProviderOrder } from "@carteiro/provider/NumberProvider.ts"
import { storableId } from "@carteiro/provider/VendorWords.ts"
import { Effect } from "effect"
import type { Client } from "./Client.ts"
import { ask, entriesOf, orderOutcomeOf } from "./NumberCalls.ts"
import { type Candidate, searchNumbers } from "./Search.ts"

/** What the operator's account adds to each order. */
export interface OrderProfile {
  /** The messaging profile whose webhook brings the verification codes. */
  readonly messagingProfileId?: string | undefined
  /** The documents that the country's regulator asks for. */
  readonly requirementGroupId?: string | undefined
}

/** Numbers that are looked at, so that orders at the same time choose different ones. */
const candidates = 20

/** `POST /v2/number_orders` for one number that receives text messages, after a search for it. vendor-wires "numprov" */
export const orderNumber =
  (client: Client, profile: OrderProfile): NumberAccount["order"] =>
  ({ ddd, external_id }) =>
    Effect.gen(function* (): Effect.fn.Return<NumberCall<ProviderOrder>> {
      const number = chosen(yield* searchNumbers(client, ddd, candidates, true), external_id)
      if (number === undefined) return yield* withoutMessages(client, ddd)
      if (typeof number !== "string") return number
      return yield* ask(
        client,
        (telnyx, signal) => telnyx.numberOrders.create(orderBody(number, external_id, profile), { signal }),
        ({ data }) => orderOf(data),
        orderOutcomeOf
      )
    })

const orderBody = (phone_number: string, customer_reference: string, profile: OrderProfile) => ({
  phone_numbers: [
    {
      phone_number,
      ...(profile.requirementGroupId === undefined ? undefined : { requirement_group_id: profile.requirementGroupId })
    }
  ],
  customer_reference,
  ...(profile.messagingProfileId === undefined ? undefined : { messaging_profile_id: profile.messagingProfileId })
})

/** Nothing was bought by a search: one that failed is refused, so that it may be repeated. */
const notSearched: NumberCall<never> = { _tag: "Refused", code: "unreachable" }

/** Returns the number that this order asks for; undefined when no number receives text messages. */
const chosen = (
  found: NumberCall<ReadonlyArray<Candidate>>,
  external_id: string
): string | NumberCall<never> | undefined => {
  if (found._tag === "Refused") return found
  if (found._tag === "Unknown") return notSearched
  const able = found.value.filter(({ sms }) => sms)
  const drawn = [...external_id].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 1_000_003, 7)
  return able[drawn % able.length]?.number
}

/** Tells an area code whose numbers take calls only from one without numbers. */
const withoutMessages = (client: Client, ddd: string): Effect.Effect<NumberCall<never>> =>
  Effect.map(searchNumbers(client, ddd, 1, false), (found): NumberCall<never> => {
    if (found._tag === "Refused") return found
    if (found._tag === "Unknown") return notSearched
    return { _tag: "Refused", code: found.value.length === 0 ? "no_inventory" : "calls_only" }
  })

/** `GET /v2/number_orders/{id}` */
export const readOrder =
  (client: Client): NumberAccount["orderById"] =>
  (id) =>
    ask(
      client,
      (telnyx, signal) => telnyx.numberOrders.retrieve(id, { signal }),
      ({ data }) => orderOf(data)
    )

/**
 * `GET /v2/number_orders?filter[customer_reference]=`: null only when one whole page has no order of that reference. The filter may take
 * longer references too, so the reference is compared.
 */
export const findOrder =
  (client: Client): NumberAccount["findOrder"] =>
  (externalId) =>
    ask(
      client,
      (telnyx, signal) =>
        telnyx.numberOrders.list({ filter: { customer_reference: externalId }, "page[size]": pageSize }, { signal }),
      (page) => {
        const orders = entriesOf(page)
        if (orders === undefined) return undefined
        const own = orders.filter(({ customer_reference }) => customer_reference === externalId).map(orderOf)
        const best = own.find((order) => order?.status === "active") ?? own.find((order) => order?.status === "pending")
        if (own.length > 0) return best ?? own[0]
        return page.meta.total_pages <= 1 ? null : undefined
      }
    )

const pageSize = 100

/** The statuses of the port by the vendor's. */
const statuses: ReadonlyMap<string, ProviderOrder["status"]> = new Map(
  Object.entries({
    pending: "pending" as const,
    success: "active" as const,
    failure: "failed" as const
  })
)

interface VendorOrder {
  readonly id?: string
  readonly customer_reference?: string
  readonly status?: string
  readonly phone_numbers?: ReadonlyArray<{ readonly phone_number?: string }>
}

/** Returns an order of one number; the number is its own id, because a notice about a message names nothing else. */
const orderOf = (order: VendorOrder | undefined): ProviderOrder | undefined => {
  const id = storableId(order?.id)
  const external_id = order?.customer_reference
  const status = statuses.get(order?.status ?? "")
  if (id === null || typeof external_id !== "string" || external_id === "" || status === undefined) return undefined
  const number = order?.phone_numbers?.[0]?.phone_number ?? null
  return { id, external_id, status, number, number_id: number, error: null }
}
