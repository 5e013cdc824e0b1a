import type {
  AccountHealth,
  AccountNumber,
  PlatformCredentials,
  TokenFacts
} from "@carteiro/provider/ChatCredentials.ts"
import type { PlatformAccount } from "@carteiro/provider/ChatPlatform.ts"
import type { ChatCall } from "@carteiro/provider/ChatProvider.ts"
import { Effect, Option, Redacted } from "effect"
import { callAnswer, listOf, memberOf } from "./UpstreamAnswers.ts"
import type { UpstreamCalls } from "./UpstreamCalls.ts"

/** Our app at the platform. */
export interface UpstreamApp {
  readonly id: string
  readonly secret: Redacted.Redacted
}

/** Pages of an account's numbers that are read; an account has no more. */
const mostPages = 20

/** Tokens, codes and accounts, as our app asks about them. vendor-wires "upstream", gaps-2 L "Token checks" */
export const upstreamCredentials = (calls: UpstreamCalls, app: UpstreamApp): PlatformCredentials => {
  const appToken = Redacted.make(`${app.id}|${Redacted.value(app.secret)}`)

  const numbersFrom = (
    account: PlatformAccount,
    after: string | undefined,
    before: ReadonlyArray<AccountNumber>,
    pages: number
  ): Effect.Effect<ChatCall<ReadonlyArray<AccountNumber>>> =>
    Effect.flatMap(
      calls.call({
        method: "GET",
        path: `/${encodeURIComponent(account.biz_account_id)}/phone_numbers`,
        token: account.token,
        query: { fields: "id,display_phone_number", limit: "100", ...(after === undefined ? undefined : { after }) }
      }),
      (result) => {
        const page = callAnswer(result, (json) =>
          Option.some({
            numbers: [...before, ...listOf(memberOf(json, "data")).flatMap(numberOf)],
            next: textOf(memberOf(memberOf(json, "paging"), "next"))
              ? textOf(memberOf(memberOf(memberOf(json, "paging"), "cursors"), "after"))
              : null
          })
        )
        if (page._tag !== "Done") return Effect.succeed(page)
        const { next, numbers } = page.value
        return next === null || pages >= mostPages
          ? Effect.succeed({ _tag: "Done" as const, value: numbers })
          : numbersFrom(account, next, numbers, pages + 1)
      }
    )

  return {
    appId: app.id,
    exchange: (code) =>
      Effect.map(
        calls.call({
          method: "GET",
          path: "/oauth/access_token",
          token: undefined,
          query: { client_id: app.id, client_secret: Redacted.value(app.secret), code }
        }),
        (result) =>
          callAnswer(result, (json) => {
            const token = textOf(memberOf(json, "access_token"))
            const seconds = memberOf(json, "expires_in")
            return token === null
              ? Option.none()
              : Option.some({
                  token: Redacted.make(token),
                  expires_in_ms: typeof seconds === "number" && seconds > 0 ? seconds * 1000 : null
                })
          })
      ),
    inspect: (token) =>
      Effect.map(
        calls.call({
          method: "GET",
          path: "/debug_token",
          token: appToken,
          query: { input_token: Redacted.value(token) }
        }),
        (result) => callAnswer(result, (json) => Option.map(Option.fromUndefinedOr(recordOf(json)), tokenFacts))
      ),
    numbers: (account) => numbersFrom(account, undefined, [], 1),
    account: ({ biz_account_id, token }) =>
      Effect.map(
        calls.call({
          method: "GET",
          path: `/${encodeURIComponent(biz_account_id)}`,
          token,
          query: { fields: "id,name,account_review_status,health_status" }
        }),
        (result) => callAnswer(result, (json) => Option.some(accountHealth(json)))
      )
  }
}

const recordOf = (json: unknown): object | undefined => {
  const data = memberOf(json, "data")
  return typeof data === "object" && data !== null ? data : undefined
}

const tokenFacts = (data: object): TokenFacts => {
  const app = memberOf(data, "app_id")
  const expires = memberOf(data, "expires_at")
  const accounts = listOf(memberOf(data, "granular_scopes"))
    .filter((scope) => /business_(?:messaging|management)$/.test(String(memberOf(scope, "scope"))))
    .flatMap((scope) => listOf(memberOf(scope, "target_ids")).map(String))
  return {
    app_id: typeof app === "number" ? String(app) : textOf(app),
    is_valid: memberOf(data, "is_valid") === true,
    expires_at: typeof expires === "number" && expires > 0 ? expires * 1000 : null,
    biz_account_ids: [...new Set(accounts)]
  }
}

const numberOf = (json: unknown): ReadonlyArray<AccountNumber> => {
  const id = textOf(memberOf(json, "id"))
  return id === null
    ? []
    : [{ upstream_phone_number_id: id, display_phone_number: textOf(memberOf(json, "display_phone_number")) }]
}

const accountHealth = (json: unknown): AccountHealth => {
  const health = memberOf(json, "health_status")
  const can = textOf(memberOf(health, "can_send_message"))?.toUpperCase()
  const codes = listOf(memberOf(health, "entities"))
    .flatMap((entity) => listOf(memberOf(entity, "errors")))
    .map((error) => String(memberOf(error, "error_code")))
  return {
    review_status: textOf(memberOf(json, "account_review_status")),
    capability:
      can === "BLOCKED"
        ? { send_capability: "blocked", send_block_codes: codes }
        : can === "AVAILABLE" || can === "LIMITED"
          ? { send_capability: "available", send_block_codes: [] }
          : null
  }
}

const textOf = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null)
