import { Calls, type OperatorUrl } from "@carteiro/outbound/Calls.ts"
import type { PixBounds } from "@carteiro/provider/payments/PixBounds.ts"
import type { PixCharges } from "@carteiro/provider/payments/PixCharges.ts"
import type {
  PixAnswer,
  PixCheckoutOrder,
  PixCredentialAnswer,
  PixProvider
} from "@carteiro/provider/payments/PixProvider.ts"
import { jsonOf, memberOf } from "@carteiro/vendor-http/VendorAnswers.ts"
import type { VendorResult, VendorTimes } from "@carteiro/vendor-http/VendorCalls.ts"
import { Clock, Effect, type Redacted } from "effect"
import { type PixApiAccount, PixApiAccounts } from "./Accounts.ts"
import { cobRequest, readCob, removal } from "./Cob.ts"
import { isRefusal, makeExchange, type NoToken, problemCode } from "./Exchange.ts"
import { pixApiNotices } from "./Notices.ts"
import { chargesRead, keyFault, keyVerdict, pathVerdict, tokenVerdict, webhookRead } from "./Proof.ts"
import { txidOf } from "./Txid.ts"

/** The settings of the adapter. */
export interface PixApiOptions extends VendorTimes {
  /** The operator's own base URL; a credential that repeats it is dialled as the operator's. */
  readonly url?: OperatorUrl | undefined
}

/** The standard has charges by code, and no pages. */
const pixApiBounds: PixBounds = { standardMode: "transparent_pix", modes: { transparent_pix: {} } }

type PixApi = PixProvider & Required<Pick<PixProvider, "bounds" | "cancel" | "notices" | "prove">>

const unknown = { _tag: "Unknown" } as const
const absent = { _tag: "Absent" } as const

/** How long a webhook is believed to be registered, and how long one that was not is left alone, in milliseconds. */
const registeredMs = 3_600_000
const unregisteredMs = 60_000

/** The standard API of Brazil's central bank, at any institution. Issue "Cards, Pix, numbers and speech", "Drivers" */
export const makePixApi = ({ url, ...times }: PixApiOptions): Effect.Effect<PixApi, never, Calls> =>
  Effect.map(Calls, (calls) => {
    const accounts = new PixApiAccounts((text) => (url?.isRepeatedBy(text) === true ? url : calls.tenantUrl(text)))
    return providerOf(accounts, makeExchange(calls, times))
  })

const providerOf = (accounts: PixApiAccounts, exchange: ReturnType<typeof makeExchange>): PixApi => {
  /** Runs a call for the account of a credential; a credential that cannot be used is refused before anything is dialled. */
  const at = (key: Redacted.Redacted, run: (account: PixApiAccount) => Effect.Effect<PixAnswer>) => {
    const account = accounts.of(key)
    return "_tag" in account
      ? Effect.succeed<PixAnswer>({ _tag: "Refused", code: `${account.field}_unusable` })
      : run(account)
  }

  const charge = (account: PixApiAccount, txid: string): Effect.Effect<PixAnswer> =>
    answerOf(exchange.call(account, { method: "GET", at: `/cob/${encodeURIComponent(txid)}` }))

  const create = Effect.fnUntraced(function* (
    account: PixApiAccount,
    order: PixCheckoutOrder,
    txid: string
  ): Effect.fn.Return<PixAnswer> {
    const json = cobRequest(order, account.pixKey)
    const put = yield* answerOf(exchange.call(account, { method: "PUT", at: `/cob/${txid}`, json }))
    const made: PixAnswer = put._tag === "Absent" ? { _tag: "Refused", code: "NaoEncontrado" } : put
    // The institution may refuse because an earlier call made the charge; by txid that is certain.
    const answer = made._tag === "Refused" && account.token !== undefined ? yield* refusedOr(account, txid, made) : made
    const { notice_url } = order
    if (answer._tag === "Charge" && typeof notice_url === "string") yield* register(account, notice_url)
    return answer
  })

  const refusedOr = (account: PixApiAccount, txid: string, refused: PixAnswer): Effect.Effect<PixAnswer> =>
    Effect.map(charge(account, txid), (found) =>
      found._tag === "Absent" ? refused : found._tag === "Charge" ? found : unknown
    )

  /** Lets the institution tell of paid charges; without it they are looked up later. A failure is left for another charge. */
  const register = Effect.fnUntraced(function* (account: PixApiAccount, url: string) {
    const now = yield* Clock.currentTimeMillis
    const { webhook } = account
    if (webhook !== undefined && webhook.url === url && webhook.until > now) return
    account.webhook = { url, until: now + unregisteredMs }
    const read = webhookRead(account)
    const current = yield* exchange.call(account, read)
    const isThere = isSuccess(current) && memberOf(jsonOf(current), "webhookUrl") === url
    const put = isThere ? current : yield* exchange.call(account, { ...read, method: "PUT", json: { webhookUrl: url } })
    if (isSuccess(put)) account.webhook = { url, until: now + registeredMs }
  })

  return {
    bounds: pixApiBounds,
    notices: pixApiNotices,
    create: (key, order) =>
      at(key, (account) => {
        const txid = txidOf(order.external_id)
        if (order.mode !== "transparent_pix") return Effect.succeed({ _tag: "Refused", code: "mode_unsupported" })
        return txid === undefined
          ? Effect.succeed({ _tag: "Refused", code: "txid_invalid" })
          : create(account, order, txid)
      }),
    read: (key, id) => at(key, (account) => charge(account, id)),
    lookUp: (key, externalId) =>
      at(key, (account) => {
        const txid = txidOf(externalId)
        return txid === undefined ? Effect.succeed(absent) : charge(account, txid)
      }),
    cancel: (key, id) =>
      at(key, (account) =>
        answerOf(exchange.call(account, { method: "PATCH", at: `/cob/${encodeURIComponent(id)}`, json: removal }))
      ),
    prove: Effect.fnUntraced(function* (key, dials): Effect.fn.Return<PixCredentialAnswer> {
      const costly = yield* accounts.prove(key)
      if (costly !== undefined) return costly
      const account = accounts.of(key)
      if ("_tag" in account) return account
      const malformed = keyFault(account.pixKey)
      if (malformed !== undefined || !dials) return malformed ?? { _tag: "Good" }
      const token = yield* exchange.fetchToken(account)
      if (typeof token !== "string") return tokenVerdict(token)
      const now = yield* Clock.currentTimeMillis
      const [charges, webhook] = yield* Effect.all(
        [exchange.call(account, chargesRead(now)), exchange.call(account, webhookRead(account))],
        { concurrency: "unbounded" }
      )
      const path = pathVerdict(charges)
      return path._tag === "Good" ? keyVerdict(webhook) : path
    })
  }
}

const isSuccess = (result: VendorResult | NoToken): result is Extract<VendorResult, { readonly _tag: "Answered" }> =>
  result._tag === "Answered" && result.status >= 200 && result.status < 300

/** Returns the charge of an answer as of now, or what any other answer means. */
const answerOf = Effect.fnUntraced(function* (
  call: Effect.Effect<VendorResult | NoToken>
): Effect.fn.Return<PixAnswer> {
  const result = yield* call
  if (result._tag !== "Answered") return result._tag === "Broken" ? unknown : result
  const json = jsonOf(result)
  const { status } = result
  if (status >= 200 && status < 300) return readCob(json, yield* Clock.currentTimeMillis) ?? unknown
  if (status === 404) return absent
  return isRefusal(status) ? { _tag: "Refused", code: problemCode(json) } : unknown
})

/** Returns the charges of the service's own account. gaps-3 G "Shape of the adapters" */
export const pixApiCharges = (provider: PixApi, key: Redacted.Redacted): PixCharges => {
  const { notices } = provider
  return {
    create: (order) => provider.create(key, { ...order, customer: null, mode: "transparent_pix", success_url: null }),
    read: (id) => provider.read(key, id),
    lookUp: (externalId) => provider.lookUp(key, externalId),
    cancel: (id) => provider.cancel(key, id),
    notices: { url: notices.url, prove: notices.prove, about: (body) => notices.about(key, body) }
  }
}
