import { Context, type Effect, type Redacted } from "effect"
import type { PlatformAccount } from "./ChatPlatform.ts"
import type { ChatCall } from "./ChatProvider.ts"

/** A token as the platform describes it. */
export interface TokenFacts {
  readonly app_id: string | null
  readonly is_valid: boolean
  /** Epoch milliseconds; null for a token that does not end. */
  readonly expires_at: number | null
  /** Business accounts that the token was granted; empty if it is not bound to any. */
  readonly biz_account_ids: ReadonlyArray<string>
  /** Portfolios that the token was granted; their accounts can be listed. */
  readonly portfolio_ids: ReadonlyArray<string>
}

/** A token obtained from a code. */
export interface ExchangedToken {
  readonly token: Redacted.Redacted
  /** Epoch milliseconds; null for a token that does not end. */
  readonly expires_in_ms: number | null
}

/** A number as its account lists it. */
export interface AccountNumber {
  readonly upstream_phone_number_id: string
  readonly display_phone_number: string | null
}

/** Whether an account may send, as the platform reports it. gaps-2 L "Inner connection shapes" */
export interface AccountHealth {
  readonly review_status: string | null
  /** The id of the portfolio that owns the account; null if the platform does not report it. U-LIM-01 */
  readonly portfolio_id: string | null
  /** Null if the platform does not report it. */
  readonly capability: {
    readonly send_capability: "available" | "blocked"
    readonly send_block_codes: ReadonlyArray<string>
  } | null
}

/**
 * Port to the platform's facts about credentials and accounts, as the product's app reads them. gaps-2 L "Token checks"
 */
export interface PlatformCredentials {
  /** Id of the product's app at the platform. */
  readonly appId: string
  /**
   * Exchanges a code for a token; a code is valid for one exchange. `redirectUri` is where the platform's page returned
   * with the code.
   */
  readonly exchange: (code: string, redirectUri?: string) => Effect.Effect<ChatCall<ExchangedToken>>
  readonly inspect: (token: Redacted.Redacted) => Effect.Effect<ChatCall<TokenFacts>>
  /** Tells whether the platform knows the app by its secret: the facts about the app's own token. */
  readonly app: Effect.Effect<ChatCall<TokenFacts>>
  readonly numbers: (account: PlatformAccount) => Effect.Effect<ChatCall<ReadonlyArray<AccountNumber>>>
  readonly account: (account: PlatformAccount) => Effect.Effect<ChatCall<AccountHealth>>
  /** Lists the accounts that a portfolio owns or manages for its clients. */
  readonly accountsOf: (portfolioId: string, token: Redacted.Redacted) => Effect.Effect<ChatCall<ReadonlyArray<string>>>
  /** Tells whether the account sends its messages and statuses to the product's app. */
  readonly subscription: (account: PlatformAccount) => Effect.Effect<ChatCall<boolean>>
  /** Has the account send its messages and statuses to the product's app; repeating it changes nothing. */
  readonly subscribe: (account: PlatformAccount) => Effect.Effect<ChatCall<void>>
}

/**
 * Verifies credentials of this installation; undefined without a base URL or an app. gaps-2 E "Who calls the upstream"
 */
export const UpstreamCredentials = Context.Reference<PlatformCredentials | undefined>(
  "@carteiro/provider/UpstreamCredentials",
  { defaultValue: () => undefined }
)
