import type { Calls, OperatorUrl } from "@carteiro/outbound/Calls.ts"
import type {
  AgenticAccount,
  AgenticBank,
  AgenticProvider,
  VendorAgenticPayment,
  VendorAuthorization
} from "@carteiro/provider/payments/AgenticProvider.ts"
import { idOf, memberOf } from "@carteiro/vendor-http/VendorAnswers.ts"
import { tenantCalls, type VendorCalls, type VendorTimes } from "@carteiro/vendor-http/VendorCalls.ts"
import { broughtBy, callJson, centavosOf, foundBy, madeBy, pageOf, textOf } from "@carteiro/vendor-http/VendorJson.ts"
import { Effect, Redacted } from "effect"

/** The address of the provider; without a URL only accounts with their own base URL work. */
export interface AgenticOptions extends VendorTimes {
  readonly url: OperatorUrl | undefined
}

/** Makes the port of agentic payments over calls to Pix provider 1. vendor-wires "pixprov1, agentic payments" */
export const makeAgentic = (
  calls: Calls["Service"],
  standard: VendorCalls | undefined,
  { url: operators, ...times }: AgenticOptions
): AgenticProvider => {
  /**
   * Returns the calls of an account. Its own base URL is a tenant's text, so each call vets it, unless it repeats the
   * operator's. A URL that must not be dialled acts like an unreachable vendor.
   */
  const callsTo = ({ base_url }: AgenticAccount): Pick<VendorCalls, "call"> => {
    if (base_url === null || operators?.isRepeatedBy(base_url) === true) return standard ?? unreached
    const url = calls.tenantUrl(base_url)
    return url === undefined ? unreached : tenantCalls(calls, url, times)
  }

  const call = (account: AgenticAccount, method: "GET" | "POST", at: string, more: { readonly json?: object } = {}) =>
    callJson(callsTo(account), { method, at, key: Redacted.value(account.key), ...more })

  /** Returns the calls about one kind of resource. */
  const about = <A>(path: `/v1/${string}`, read: (json: unknown) => A | undefined) => ({
    make: (account: AgenticAccount, json: Readonly<Record<string, unknown>> & { readonly external_id: string }) =>
      Effect.map(
        callJson(callsTo(account), {
          method: "POST",
          at: path,
          key: Redacted.value(account.key),
          json,
          idempotencyKey: json.external_id
        }),
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
      Effect.map(call(account, "POST", `/v1/authorizations/${encodeURIComponent(id)}/revoke`, { json: {} }), (result) =>
        broughtBy(result, authorizationOf)
      ),
    pay: (account, order) => payments.make(account, { ...order }),
    payment: payments.read,
    paymentOf: payments.lookUp
  }
}

/** The calls of an account that cannot be reached: none is made. */
const unreached: Pick<VendorCalls, "call"> = { call: () => Effect.succeed({ _tag: "Broken", began: false }) }

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
  const id = idOf(json)
  const external_id = textOf(json, "external_id")
  const status = authorizationStatuses.find((one) => one === memberOf(json, "status"))
  if (id === undefined || external_id === null || status === undefined) return undefined
  return { _tag: "Authorization", id, external_id, status, authorization_url: pageOf(json, "authorization_url") }
}

const paymentStatuses = ["processing", "paid", "failed"] as const

const paymentOf = (json: unknown): VendorAgenticPayment | undefined => {
  const id = idOf(json)
  const external_id = textOf(json, "external_id")
  const status = paymentStatuses.find((one) => one === memberOf(json, "status"))
  const amount_centavos = centavosOf(json, "amount_centavos")
  if (id === undefined || external_id === null || status === undefined || amount_centavos === undefined)
    return undefined
  const error = memberOf(json, "error")
  const code = textOf(error, "code")
  return {
    _tag: "Payment",
    id,
    external_id,
    status,
    amount_centavos,
    error: code === null ? null : { code, message: textOf(error, "message") ?? code }
  }
}
