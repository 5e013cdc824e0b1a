import type { Calls } from "@carteiro/outbound/Calls.ts"
import type { NumberAccount, NumberProvider } from "@carteiro/provider/NumberProvider.ts"
import { makeVendorCalls, type VendorCalls, type VendorOptions } from "@carteiro/vendor-http/VendorCalls.ts"
import { Effect, Redacted } from "effect"
import { accountOf, answerOf, availableOf, foundOrderOf, inventoryOf, orderedOf, orderOf } from "./NumberAnswers.ts"

/** The address of the provider, and the key of the product's own account. */
export interface NumprovOptions extends VendorOptions {
  readonly apiKey?: Redacted.Redacted | undefined
}

/** The number provider over HTTP. vendor-wires "numprov" */
export const makeNumprov = ({ apiKey, ...options }: NumprovOptions): Effect.Effect<NumberProvider, never, Calls> =>
  Effect.map(makeVendorCalls(options), (calls) => ({
    platform: apiKey === undefined ? undefined : accountWith(calls, apiKey),
    of: (key) => accountWith(calls, key)
  }))

/** Numbers in a page of the inventory. */
const pageSize = 100

const accountWith = (calls: VendorCalls, credential: Redacted.Redacted): NumberAccount => {
  const key = Redacted.value(credential)
  const get = <A>(at: string, read: (json: unknown) => A | undefined) =>
    Effect.map(calls.call({ method: "GET", at, key }), (result) => answerOf(result, read))
  return {
    read: get("/v1/account", accountOf),
    available: (ddd, limit) => get(`/v1/available?ddd=${encodeURIComponent(ddd)}&limit=${limit}`, availableOf),
    order: (order) =>
      Effect.map(
        calls.call({
          method: "POST",
          at: "/v1/orders",
          key,
          body: { type: "application/json", bytes: JSON.stringify(order) },
          idempotencyKey: order.external_id
        }),
        orderedOf
      ),
    orderById: (id) => get(`/v1/orders/${encodeURIComponent(id)}`, orderOf),
    findOrder: (externalId) =>
      get(`/v1/orders?external_id=${encodeURIComponent(externalId)}`, foundOrderOf(externalId)),
    release: (numberId) =>
      Effect.map(calls.call({ method: "DELETE", at: `/v1/numbers/${encodeURIComponent(numberId)}`, key }), (result) =>
        answerOf(result, () => null)
      ).pipe(Effect.map((answer) => (answer._tag === "Done" ? { _tag: "Done" as const, value: undefined } : answer))),
    numbers: (cursor) =>
      get(`/v1/numbers?limit=${pageSize}${cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`}`, inventoryOf)
  }
}
