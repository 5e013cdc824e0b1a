import type { Calls } from "@carteiro/outbound/Calls.ts"
import type { CardProvider } from "@carteiro/provider/payments/CardProvider.ts"
import { makeVendorCalls, type VendorOptions, type VendorResult } from "@carteiro/vendor-http/VendorCalls.ts"
import { Effect, Redacted } from "effect"
import { cardOf, chargedOf, chargeOf, customerOf, foundOf, proofOf, setupOf } from "./CardAnswers.ts"

/** The address of the processor and its credential. */
export interface CardprocOptions extends VendorOptions {
  readonly apiKey: Redacted.Redacted
}

/** The card processor over HTTP. gaps-3 G "cardproc calls" */
export const makeCardproc = (options: CardprocOptions): Effect.Effect<CardProvider, never, Calls> =>
  Effect.map(makeVendorCalls(options), (calls): CardProvider => {
    const key = Redacted.value(options.apiKey)
    const post = <A>(at: string, body: object, read: (result: VendorResult) => A, idempotencyKey?: string) =>
      Effect.map(
        calls.call({
          method: "POST",
          at,
          key,
          body: { type: "application/json", bytes: JSON.stringify(body) },
          ...(idempotencyKey === undefined ? undefined : { idempotencyKey })
        }),
        read
      )
    const get = <A>(at: string, read: (result: VendorResult) => A) =>
      Effect.map(calls.call({ method: "GET", at, key }), read)
    const card = (id: string) => `/v1/payment_methods/${encodeURIComponent(id)}`
    return {
      customer: (external_id) => post("/v1/customers", { external_id }, customerOf, external_id),
      setup: (customer) => post("/v1/setup_intents", { customer }, setupOf),
      pages: undefined,
      card: (id) => get(card(id), cardOf),
      attach: (id, customer) => post(`${card(id)}/attach`, { customer }, cardOf),
      detach: (id, customer) => post(`${card(id)}/detach`, { customer }, cardOf),
      charge: ({ return_url: _, ...order }) =>
        post("/v1/payment_intents", { ...order, confirm: true }, chargedOf, order.external_id),
      chargeById: (id) => get(`/v1/payment_intents/${encodeURIComponent(id)}`, chargeOf),
      chargeOf: (externalId) =>
        get(`/v1/payment_intents?external_id=${encodeURIComponent(externalId)}`, foundOf(externalId)),
      authenticationPage: ({ client_secret }) =>
        Effect.succeed(options.url.below(`/authenticate/${encodeURIComponent(client_secret)}`).href),
      // A search for a charge that nobody ordered: an empty list proves the key.
      proveCredential: get("/v1/payment_intents?external_id=credential", proofOf)
    }
  })
