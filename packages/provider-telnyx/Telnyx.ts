import { Calls, type OperatorUrl } from "@carteiro/outbound/Calls.ts"
import type { NumberAccount, NumberProvider } from "@carteiro/provider/NumberProvider.ts"
import type { VendorTimes } from "@carteiro/vendor-http/VendorCalls.ts"
import { vendorFetch } from "@carteiro/vendor-http/VendorFetch.ts"
import { Effect, Redacted } from "effect"
import { type Client, clientOf } from "./Client.ts"
import { readAccount, readNumbers, releaseNumber } from "./Inventory.ts"
import { findOrder, type OrderProfile, orderNumber, readOrder } from "./Orders.ts"
import { searchNumbers } from "./Search.ts"

export { loadTelnyx } from "./Client.ts"

/** The vendor's address, the key of the product's own account and what its orders name. */
export interface TelnyxOptions extends VendorTimes, OrderProfile {
  /** The address below which the vendor's `/v2` is. */
  readonly url: OperatorUrl
  readonly apiKey?: Redacted.Redacted | undefined
}

/** The number provider by Telnyx's official client. Issue "Cards, Pix, numbers and speech", "Drivers" */
export const makeTelnyx = ({
  apiKey,
  url,
  messagingProfileId,
  requirementGroupId,
  ...times
}: TelnyxOptions): Effect.Effect<NumberProvider, never, Calls> =>
  Effect.map(Calls, (calls) => {
    const dial = vendorFetch(calls, url, times)
    const { origin, path } = url.below("/v2").target
    const accountWith = (key: Redacted.Redacted, profile: OrderProfile) =>
      accountOf(clientOf(dial, origin + path, Redacted.value(key)), profile)
    return {
      platform: apiKey === undefined ? undefined : accountWith(apiKey, { messagingProfileId, requirementGroupId }),
      of: (key) => accountWith(key, {})
    }
  })

const accountOf = (client: Client, profile: OrderProfile): NumberAccount => ({
  read: readAccount(client),
  available: (ddd, limit) => searchNumbers(client, ddd, limit, false),
  order: orderNumber(client, profile),
  orderById: readOrder(client),
  findOrder: findOrder(client),
  release: releaseNumber(client),
  numbers: readNumbers(client)
})
