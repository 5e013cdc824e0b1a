import { Context, type Effect, type Redacted } from "effect"
import type { PlatformAccount } from "./ChatPlatform.ts"
import type { ChatCall } from "./ChatProvider.ts"

/** A token as the platform describes it. */
export interface TokenFacts {
  readonly app_id: string | null
  readonly is_valid: boolean
  /** Epoch milliseconds; null for a token that does not end. */
  readonly expires_at: number | null
  /** Business accounts that it was granted; empty where it is not bound to any. */
  readonly biz_account_ids: ReadonlyArray<string>
}

/** A token made of a code. */
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

/** Whether an account may send, as the platform tells it. gaps-2 L "Inner connection shapes" */
export interface AccountHealth {
  readonly review_status: string | null
  /** Null where the platform does not say. */
  readonly capability: {
    readonly send_capability: "available" | "blocked"
    readonly send_block_codes: ReadonlyArray<string>
  } | null
}

/** Port to the platform as our app asks it about credentials and accounts. gaps-2 L "Token checks" */
export interface PlatformCredentials {
  /** Our app there. */
  readonly appId: string
  /** A code is good for one exchange. */
  readonly exchange: (code: string) => Effect.Effect<ChatCall<ExchangedToken>>
  readonly inspect: (token: Redacted.Redacted) => Effect.Effect<ChatCall<TokenFacts>>
  readonly numbers: (account: PlatformAccount) => Effect.Effect<ChatCall<ReadonlyArray<AccountNumber>>>
  readonly account: (account: PlatformAccount) => Effect.Effect<ChatCall<AccountHealth>>
}

/** Who proves credentials of this installation; undefined without a base URL or an app. gaps-2 E "Who calls the upstream" */
export const UpstreamCredentials = Context.Reference<PlatformCredentials | undefined>(
  "@carteiro/provider/UpstreamCredentials",
  { defaultValue: () => undefined }
)
