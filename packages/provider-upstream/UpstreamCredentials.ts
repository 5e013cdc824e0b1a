import type { AccountHealth, AccountNumber, PlatformCredentials } from "@carteiro/provider/ChatCredentials.ts"
import type { ChatCall } from "@carteiro/provider/ChatProvider.ts"
import { Effect, Option, Redacted } from "effect"
import { callAnswer, succeeded } from "./UpstreamAnswers.ts"
import type { UpstreamCalls } from "./UpstreamCalls.ts"
import { listOf, memberOf, textOf } from "./UpstreamJson.ts"
import { upstreamPages } from "./UpstreamPages.ts"
import { factsOf, isSubscribed, tokenFacts } from "./UpstreamTokens.ts"

/** The product's app at the platform. */
export interface UpstreamApp {
  readonly id: string
  /** The present secret first; while it is rotated, the platform may take another one only. */
  readonly secrets: readonly [Redacted.Redacted, ...ReadonlyArray<Redacted.Redacted>]
}

/**
 * Makes the port to tokens, codes and accounts, as the product's app reads them. vendor-wires "upstream", gaps-2 L
 * "Token checks"
 */
export const upstreamCredentials = (calls: UpstreamCalls, app: UpstreamApp): PlatformCredentials => {
  const tokenUnder = (secret: Redacted.Redacted) => Redacted.make(`${app.id}|${Redacted.value(secret)}`)

  /** Calls with the present secret, and with each other one where the platform refuses the call. */
  const withSecret = <A>(call: (secret: Redacted.Redacted) => Effect.Effect<ChatCall<A>>) => {
    const [present, ...others] = app.secrets
    return others.reduce(
      (before, secret) =>
        Effect.flatMap(before, (answer) => (answer._tag === "Refused" ? call(secret) : Effect.succeed(answer))),
      call(present)
    )
  }

  const inspectUnder = (secret: Redacted.Redacted, token: Redacted.Redacted) =>
    Effect.map(
      calls.call({
        method: "GET",
        path: "/debug_token",
        token: tokenUnder(secret),
        query: { input_token: Redacted.value(token) },
        secret
      }),
      (result) => callAnswer(result, (json) => Option.map(Option.fromUndefinedOr(factsOf(json)), tokenFacts))
    )

  return {
    appId: app.id,
    exchange: (code, redirect_uri) =>
      withSecret((secret) =>
        Effect.map(
          calls.call({
            method: "GET",
            path: "/oauth/access_token",
            token: undefined,
            query: {
              client_id: app.id,
              client_secret: Redacted.value(secret),
              code,
              ...(redirect_uri === undefined ? undefined : { redirect_uri })
            }
          }),
          (result) => callAnswer(result, exchangedToken)
        )
      ),
    inspect: (token) => withSecret((secret) => inspectUnder(secret, token)),
    app: withSecret((secret) => inspectUnder(secret, tokenUnder(secret))),
    numbers: ({ biz_account_id, token }) =>
      upstreamPages(
        calls,
        { path: `/${encodeURIComponent(biz_account_id)}/phone_numbers`, token, fields: "id,display_phone_number" },
        numberOf
      ),
    accountsOf: Effect.fnUntraced(function* (portfolio, token) {
      const path = (edge: string) => `/${encodeURIComponent(portfolio)}/${edge}_whatsapp_business_accounts`
      const ids = (json: unknown) => textOf(memberOf(json, "id")) ?? []
      const owned = yield* upstreamPages(calls, { path: path("owned"), token, fields: "id" }, ids)
      if (owned._tag !== "Done") return owned
      const clients = yield* upstreamPages(calls, { path: path("client"), token, fields: "id" }, ids)
      return clients._tag === "Done"
        ? ({ _tag: "Done", value: [...new Set([...owned.value, ...clients.value])] } as const)
        : clients
    }),
    subscription: ({ biz_account_id, token }) =>
      Effect.map(calls.call({ method: "GET", path: subscribedApps(biz_account_id), token }), (result) =>
        callAnswer(result, (json) => isSubscribed(json, app.id))
      ),
    subscribe: ({ biz_account_id, token }) =>
      Effect.map(calls.call({ method: "POST", path: subscribedApps(biz_account_id), token }), (result) =>
        callAnswer(result, succeeded)
      ),
    account: ({ biz_account_id, token }) =>
      Effect.map(
        calls.call({
          method: "GET",
          path: `/${encodeURIComponent(biz_account_id)}`,
          token,
          query: { fields: accountFields }
        }),
        (result) => callAnswer(result, (json) => Option.some(accountHealth(json)))
      )
  }
}

const exchangedToken = (json: unknown) => {
  const token = textOf(memberOf(json, "access_token"))
  const seconds = memberOf(json, "expires_in")
  return token === null
    ? Option.none()
    : Option.some({ token: Redacted.make(token), expires_in_ms: typeof seconds === "number" ? lasting(seconds) : null })
}

/** Returns a lifetime in milliseconds, at most a hundred years; null for a token without an end. */
const lasting = (seconds: number): number | null => (seconds > 0 ? Math.min(seconds, 100 * 366 * 86_400) * 1000 : null)

const subscribedApps = (biz_account_id: string): string => `/${encodeURIComponent(biz_account_id)}/subscribed_apps`

const numberOf = (json: unknown): ReadonlyArray<AccountNumber> => {
  const id = textOf(memberOf(json, "id"))
  return id === null
    ? []
    : [{ upstream_phone_number_id: id, display_phone_number: textOf(memberOf(json, "display_phone_number")) }]
}

/**
 * The fields of an account that are read. The vendor's SDKs list `owner_business_info` and `on_behalf_of_business_info` of
 * an account (`facebook-python-business-sdk`, `WhatsAppBusinessAccount.Field`); the description of v23.0 lists the second,
 * with `id` and `name`. Limits are set for the portfolio that owns the account (Messaging limits, "calculated and set at
 * the business portfolio level"). U-LIM-01
 */
const accountFields = "id,name,account_review_status,health_status,owner_business_info,on_behalf_of_business_info"

const accountHealth = (json: unknown): AccountHealth => {
  const health = memberOf(json, "health_status")
  const can = textOf(memberOf(health, "can_send_message"))?.toUpperCase()
  const codes = listOf(memberOf(health, "entities"))
    .flatMap((entity) => listOf(memberOf(entity, "errors")))
    .map((error) => String(memberOf(error, "error_code")))
  return {
    review_status: textOf(memberOf(json, "account_review_status")),
    // A platform that does not name the owner may name on whose behalf the account works.
    portfolio_id:
      textOf(memberOf(memberOf(json, "owner_business_info"), "id")) ??
      textOf(memberOf(memberOf(json, "on_behalf_of_business_info"), "id")),
    capability:
      can === "BLOCKED"
        ? { send_capability: "blocked", send_block_codes: codes }
        : can === "AVAILABLE" || can === "LIMITED"
          ? { send_capability: "available", send_block_codes: [] }
          : null
  }
}
