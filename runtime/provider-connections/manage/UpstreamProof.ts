import { createHash } from "node:crypto"
import { type PlatformCredentials, type TokenFacts, UpstreamCredentials } from "@carteiro/provider/ChatCredentials.ts"
import type { ChatCall } from "@carteiro/provider/ChatProvider.ts"
import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { ProviderError } from "@carteiro/schema/conventions/SharedErrors.ts"
import {
  ChatappCredentialsInvalid,
  UpstreamTokenForeignApp
} from "@carteiro/schema/provider-connections/ProviderConnectionErrors.ts"
import { Clock, Context, Effect, Layer, Redacted } from "effect"

/** A token that the platform accepts. */
export interface ProvenToken {
  readonly token: Redacted.Redacted
  /** The accounts that the token was granted; empty when it is bound to none. */
  readonly accounts: ReadonlyArray<string>
  /** The portfolios that the token was granted. */
  readonly portfolios: ReadonlyArray<string>
  /** Epoch milliseconds; null for a token that does not expire. */
  readonly expires_at: number | null
}

/** An account and number that a token reaches. */
export interface ProvenAccount {
  readonly biz_account_id: string
  readonly phone_number_id: string | null
  readonly display_phone_number: string | null
}

/** The origin of a credential: its environment, and the request field that a refusal names. */
interface Presented {
  readonly environment: EnvironmentKind
  readonly param: string
}

/** Proves credentials at the chat platform; a sandbox makes no call. gaps-2 L "Token checks" */
export class UpstreamProof extends Context.Service<
  UpstreamProof,
  {
    /** Exchanges a code for a token, which works once. */
    exchange(presented: Presented, code: string, redirectUri: string | undefined): Effect.Effect<ProvenToken, ApiError>
    /** Proves that a token is valid and belongs to our own app. M-CONN-26, M-CONN-27 */
    token(presented: Presented, token: Redacted.Redacted): Effect.Effect<ProvenToken, ApiError>
    /**
     * Proves that a token reaches an account, and the number when one is named; otherwise takes the account's only
     * number.
     */
    account(
      presented: Presented,
      proven: ProvenToken,
      bizAccountId: string,
      phoneNumberId: string | null
    ): Effect.Effect<ProvenAccount, ApiError>
    /**
     * Returns the only account that a token reaches: the granted one, or for a token that was granted all accounts the
     * only one of its portfolios. U-CON-04
     */
    only(presented: Presented, proven: ProvenToken): Effect.Effect<string | undefined, ApiError>
    /**
     * Has the account send its messages and statuses to this service; false when the platform refuses. Without it
     * neither ever comes. U-CON-01
     */
    subscribe(presented: Presented, proven: ProvenToken, bizAccountId: string): Effect.Effect<boolean, ApiError>
  }
>()("@carteiro/runtime/provider-connections/manage/UpstreamProof") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const platform = yield* UpstreamCredentials

      const ask = <A>({ param }: Presented, call: (platform: PlatformCredentials) => Effect.Effect<ChatCall<A>>) =>
        Effect.flatMap(
          platform === undefined ? Effect.succeed(unreachable) : call(platform),
          (answer): Effect.Effect<A, ApiError> => {
            switch (answer._tag) {
              case "Done":
                return Effect.succeed(answer.value)
              case "Refused":
                return Effect.fail(new ChatappCredentialsInvalid({ param }))
              case "Failed":
                return Effect.fail(new ProviderError())
            }
          }
        )

      const token = Effect.fnUntraced(function* (presented: Presented, given: Redacted.Redacted) {
        if (presented.environment === "sandbox") return yield* simulatedToken(presented, given)
        const facts = yield* ask(presented, (asked) => asked.inspect(given))
        const now = yield* Clock.currentTimeMillis
        const refusal = refusalOf(facts, platform?.appId, now, presented.param)
        if (refusal !== undefined) return yield* refusal
        const { biz_account_ids: accounts, expires_at, portfolio_ids: portfolios } = facts
        return { token: given, accounts, portfolios, expires_at }
      })

      return UpstreamProof.of({
        token,
        only: Effect.fnUntraced(function* (presented, { accounts, portfolios, token }) {
          if (accounts.length > 0) return accounts.length === 1 ? accounts[0] : undefined
          const reached = yield* Effect.forEach(portfolios.slice(0, mostPortfolios), (portfolio) =>
            ask(presented, (asked) => asked.accountsOf(portfolio, token))
          )
          const all = [...new Set(reached.flat())]
          return all.length === 1 ? all[0] : undefined
        }),
        subscribe: (presented, { token }, biz_account_id) =>
          presented.environment === "sandbox"
            ? Effect.succeed(true)
            : Effect.as(
                ask(presented, (asked) => asked.subscribe({ biz_account_id, token })),
                true
              ).pipe(Effect.catchTag(ChatappCredentialsInvalid.code, () => Effect.succeed(false))),
        exchange: Effect.fnUntraced(function* (presented, code, redirectUri) {
          if (presented.environment === "sandbox") return yield* simulatedToken(presented, Redacted.make(code))
          const made = yield* ask(presented, (asked) => asked.exchange(code, redirectUri))
          const proven = yield* token(presented, made.token)
          const ends = made.expires_in_ms === null ? null : (yield* Clock.currentTimeMillis) + made.expires_in_ms
          return { ...proven, expires_at: proven.expires_at ?? ends }
        }),
        account: Effect.fnUntraced(function* (presented, proven, biz_account_id, phoneNumberId) {
          if (presented.environment === "sandbox") {
            return { biz_account_id, phone_number_id: phoneNumberId, display_phone_number: null }
          }
          if (proven.accounts.length > 0 && !proven.accounts.includes(biz_account_id)) {
            return yield* new ChatappCredentialsInvalid({ param: presented.param })
          }
          const numbers = yield* ask(presented, (asked) => asked.numbers({ biz_account_id, token: proven.token }))
          const only = numbers.length === 1 ? numbers[0] : undefined
          const number =
            phoneNumberId === null
              ? only
              : numbers.find(({ upstream_phone_number_id }) => upstream_phone_number_id === phoneNumberId)
          if (phoneNumberId !== null && number === undefined) {
            return yield* new ChatappCredentialsInvalid({ param: presented.param })
          }
          return {
            biz_account_id,
            phone_number_id: number?.upstream_phone_number_id ?? null,
            display_phone_number: number?.display_phone_number ?? null
          }
        })
      })
    })
  )
}

/** The most portfolios whose accounts are listed to find the only one. */
const mostPortfolios = 10

const unreachable: ChatCall<never> = { _tag: "Failed", error: null }

const refusalOf = (facts: TokenFacts, appId: string | undefined, now: number, param: string): ApiError | undefined => {
  if (facts.app_id !== null && facts.app_id !== appId) return new UpstreamTokenForeignApp({ param })
  const isGood = facts.is_valid && facts.app_id !== null && (facts.expires_at === null || facts.expires_at > now)
  return isGood ? undefined : new ChatappCredentialsInvalid({ param })
}

/**
 * Returns the simulated result in a sandbox, by the beginning of a token or code: `foreign_` belongs to another app,
 * `invalid` is refused, `unproven_` proves no account; any other token always proves one account. gaps-2 L "Token
 * checks"
 */
const simulatedToken = ({ param }: Presented, token: Redacted.Redacted): Effect.Effect<ProvenToken, ApiError> => {
  const text = Redacted.value(token)
  if (text.startsWith("foreign_")) return Effect.fail(new UpstreamTokenForeignApp({ param }))
  if (text.startsWith("invalid")) return Effect.fail(new ChatappCredentialsInvalid({ param }))
  const accounts = text.startsWith("unproven_") ? [] : [simulatedAccount(text)]
  return Effect.succeed({ token, accounts, portfolios: [], expires_at: null })
}

const simulatedAccount = (token: string): string =>
  `sb_${BigInt(`0x${createHash("sha256").update(token).digest("hex").slice(0, 14)}`)}`
