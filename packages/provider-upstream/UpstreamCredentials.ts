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
import { instantOf } from "./webhook/UpstreamValues.ts"

/** The product's app at the platform. */
export interface UpstreamApp {
  readonly id: string
  /** The present secret first; while it is rotated, the platform may take another one only. */
  readonly secrets: readonly [Redacted.Redacted, ...ReadonlyArray<Redacted.Redacted>]
}

/** The most pages of an account's numbers that are read; an account has no more. */
const mostPages = 20

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
        const page = callAnswer(result, (json) => {
          const data = memberOf(json, "data")
          if (!Array.isArray(data)) return Option.none()
          const next = textOf(memberOf(memberOf(json, "paging"), "next"))
            ? textOf(memberOf(memberOf(memberOf(json, "paging"), "cursors"), "after"))
            : null
          return Option.some({ numbers: [...before, ...data.flatMap(numberOf)], next })
        })
        if (page._tag !== "Done") return Effect.succeed(page)
        const { next, numbers } = page.value
        if (next === null) return Effect.succeed({ _tag: "Done" as const, value: numbers })
        // An incomplete list would wrongly show that a number is missing.
        return next === after || pages >= mostPages
          ? Effect.succeed({ _tag: "Failed" as const, error: null })
          : numbersFrom(account, next, numbers, pages + 1)
      }
    )

  return {
    appId: app.id,
    exchange: (code) =>
      withSecret((secret) =>
        Effect.map(
          calls.call({
            method: "GET",
            path: "/oauth/access_token",
            token: undefined,
            query: { client_id: app.id, client_secret: Redacted.value(secret), code }
          }),
          (result) => callAnswer(result, exchangedToken)
        )
      ),
    inspect: (token) =>
      withSecret((secret) =>
        Effect.map(
          calls.call({
            method: "GET",
            path: "/debug_token",
            token: tokenUnder(secret),
            query: { input_token: Redacted.value(token) }
          }),
          (result) => callAnswer(result, (json) => Option.map(Option.fromUndefinedOr(factsOf(json)), tokenFacts))
        )
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

const exchangedToken = (json: unknown) => {
  const token = textOf(memberOf(json, "access_token"))
  const seconds = memberOf(json, "expires_in")
  return token === null
    ? Option.none()
    : Option.some({ token: Redacted.make(token), expires_in_ms: typeof seconds === "number" ? lasting(seconds) : null })
}

/** Returns the facts about a token; undefined for a response that does not say whether it is valid. */
const factsOf = (json: unknown): object | undefined => {
  const data = memberOf(json, "data")
  return typeof data === "object" && data !== null && typeof memberOf(data, "is_valid") === "boolean" ? data : undefined
}

/** Returns a lifetime in milliseconds, at most a hundred years; null for a token without an end. */
const lasting = (seconds: number): number | null => (seconds > 0 ? Math.min(seconds, 100 * 366 * 86_400) * 1000 : null)

const tokenFacts = (data: object): TokenFacts => {
  const app = memberOf(data, "app_id")
  const accounts = listOf(memberOf(data, "granular_scopes"))
    .filter((scope) => /business_(?:messaging|management)$/.test(String(memberOf(scope, "scope"))))
    .flatMap((scope) => listOf(memberOf(scope, "target_ids")).map(String))
  return {
    app_id: typeof app === "number" ? String(app) : textOf(app),
    is_valid: memberOf(data, "is_valid") === true,
    expires_at: instantOf(memberOf(data, "expires_at")),
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
