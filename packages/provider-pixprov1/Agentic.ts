import type {
  AgenticAccount,
  AgenticBank,
  AgenticProvider,
  VendorAgenticPayment,
  VendorAuthorization
} from "@carteiro/provider/payments/AgenticProvider.ts"
import { memberOf } from "@carteiro/vendor-http/VendorAnswers.ts"
import { makeVendorCalls, type VendorCalls, type VendorOptions } from "@carteiro/vendor-http/VendorCalls.ts"
import { broughtBy, callJson, foundBy, madeBy, textOf, wholeOf } from "@carteiro/vendor-http/VendorJson.ts"
import { Effect, Redacted, Scope } from "effect"

/** How the provider is reached; without a base URL only accounts are that have one of their own. */
export type AgenticOptions = Omit<VendorOptions, "baseUrl"> & { readonly baseUrl: string | undefined }

/** Payments that agents make, over calls to Pix provider 1. vendor-wires "pixprov1, agentic payments" */
export const makeAgentic = (
  standard: VendorCalls | undefined,
  options: AgenticOptions
): Effect.Effect<AgenticProvider, never, Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const elsewhere = new Map<string, VendorCalls>()

    /** Accounts may be reached at a base URL of their own. */
    const callsTo = Effect.fnUntraced(function* ({ base_url }: AgenticAccount) {
      if (base_url === null) return standard ?? unreached
      const known = elsewhere.get(base_url)
      if (known !== undefined) return known
      const calls = yield* Scope.provide(makeVendorCalls({ ...options, baseUrl: base_url }), scope)
      elsewhere.set(base_url, calls)
      return calls
    })

    const call = (account: AgenticAccount, method: "GET" | "POST", at: string, more: { readonly json?: object } = {}) =>
      Effect.flatMap(callsTo(account), (calls) =>
        callJson(calls, { method, at, key: Redacted.value(account.key), ...more })
      )

    /** The calls about one kind of thing. */
    const about = <A>(path: `/v1/${string}`, read: (json: unknown) => A | undefined) => ({
      make: (account: AgenticAccount, json: Readonly<Record<string, unknown>> & { readonly external_id: string }) =>
        Effect.map(
          Effect.flatMap(callsTo(account), (calls) =>
            callJson(calls, {
              method: "POST",
              at: path,
              key: Redacted.value(account.key),
              json,
              idempotencyKey: json.external_id
            })
          ),
          (result) => madeBy(result, read)
        ),
      read: (account: AgenticAccount, id: string) =>
        Effect.map(call(account, "GET", `${path}/${encodeURIComponent(id)}`), (result) => broughtBy(result, read)),
      lookUp: (account: AgenticAccount, externalId: string) =>
        Effect.map(call(account, "GET", `${path}?external_id=${encodeURIComponent(externalId)}`), (result) =>
          foundBy(result, externalId, read)
        )
    })

    const authorizations = about("/v1/authorizations", authorizationOf)
    const payments = about("/v1/agentic-payments", paymentOf)
    return {
      banks: (account) =>
        Effect.map(call(account, "GET", "/v1/banks"), (result) =>
          madeBy(result, (json) => {
            const data = memberOf(json, "data")
            if (!Array.isArray(data)) return undefined
            return { _tag: "Banks" as const, banks: data.map(bankOf).filter((bank) => bank !== undefined) }
          })
        ),
      authorize: (account, order) =>
        authorizations.make(account, { ...order, expires_at: new Date(order.expires_at).toISOString() }),
      authorization: authorizations.read,
      authorizationOf: authorizations.lookUp,
      revoke: (account, id) =>
        Effect.map(
          call(account, "POST", `/v1/authorizations/${encodeURIComponent(id)}/revoke`, { json: {} }),
          (result) => broughtBy(result, authorizationOf)
        ),
      pay: (account, order) => payments.make(account, { ...order }),
      payment: payments.read,
      paymentOf: payments.lookUp
    }
  })

/** Nobody is there to be asked. */
const unreached: VendorCalls = { call: () => Effect.succeed({ _tag: "Broken" }), own: () => undefined }

const bankOf = (json: unknown): AgenticBank | undefined => {
  const id = textOf(json, "id")
  const name = textOf(json, "name")
  const ispb = textOf(json, "ispb")
  if (id === null || name === null || ispb === null || !/^\d{8}$/.test(ispb)) return undefined
  const status = memberOf(json, "status") === "available" ? "available" : "unavailable"
  return { id, name, ispb, logo_url: textOf(json, "logo_url"), status }
}

const authorizationStatuses = ["pending", "authorized", "rejected", "revoked", "expired"] as const

const authorizationOf = (json: unknown): VendorAuthorization | undefined => {
  const id = textOf(json, "id")
  const external_id = textOf(json, "external_id")
  const status = authorizationStatuses.find((one) => one === memberOf(json, "status"))
  if (id === null || external_id === null || status === undefined) return undefined
  return { _tag: "Authorization", id, external_id, status, authorization_url: textOf(json, "authorization_url") }
}

const paymentStatuses = ["processing", "paid", "failed"] as const

const paymentOf = (json: unknown): VendorAgenticPayment | undefined => {
  const id = textOf(json, "id")
  const external_id = textOf(json, "external_id")
  const status = paymentStatuses.find((one) => one === memberOf(json, "status"))
  if (id === null || external_id === null || status === undefined) return undefined
  const error = memberOf(json, "error")
  const code = textOf(error, "code")
  return {
    _tag: "Payment",
    id,
    external_id,
    status,
    amount_centavos: wholeOf(json, "amount_centavos"),
    error: code === null ? null : { code, message: textOf(error, "message") ?? code }
  }
}
