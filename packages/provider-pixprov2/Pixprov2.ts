import type { Calls } from "@carteiro/outbound/Calls.ts"
import type { PixCharges } from "@carteiro/provider/payments/PixCharges.ts"
import type { ApprovingPix } from "@carteiro/provider/payments/PixProvider.ts"
import { pixWire, readCheckout } from "@carteiro/vendor-http/PixWire.ts"
import { makeVendorCalls, type VendorOptions } from "@carteiro/vendor-http/VendorCalls.ts"
import { broughtBy, callJson, textOf } from "@carteiro/vendor-http/VendorJson.ts"
import { Effect, Redacted } from "effect"

const path = "/v1/checkouts"

/** Pix provider 2 over HTTP. gaps-3 G "pixprov1 and pixprov2 calls" */
export const makePixprov2 = (options: VendorOptions): Effect.Effect<ApprovingPix, never, Calls> =>
  Effect.map(makeVendorCalls(options), (calls) => ({
    ...pixWire(calls, path, ({ mode, success_url }) => ({ mode, success_url })),
    cancel: (key, id) =>
      Effect.map(
        callJson(calls, { method: "DELETE", at: `${path}/${encodeURIComponent(id)}`, key: Redacted.value(key) }),
        (result) => broughtBy(result, readCheckout)
      ),
    requestApproval: (key, id, approval) =>
      Effect.map(
        callJson(calls, {
          method: "POST",
          at: `${path}/${encodeURIComponent(id)}/approvals`,
          key: Redacted.value(key),
          json: approval,
          idempotencyKey: approval.external_id
        }),
        (result) =>
          broughtBy(result, (json) => {
            const requested = textOf(json, "id")
            return requested === null ? undefined : { _tag: "Requested" as const, id: requested }
          })
      )
  }))

/** Returns the charges of one account, paid by a code in a bank's app. gaps-3 G "Shape of the adapters" */
export const chargesOf = (provider: ApprovingPix, key: Redacted.Redacted): PixCharges => ({
  create: (order) => provider.create(key, { ...order, customer: null, mode: "transparent_pix", success_url: null }),
  read: (id) => provider.read(key, id),
  lookUp: (externalId) => provider.lookUp(key, externalId),
  cancel: (id) => provider.cancel(key, id)
})
