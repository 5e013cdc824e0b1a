import { Context, Effect } from "effect"
import type { ChatCall } from "./ChatProvider.ts"

/** The state of a number at the provider. gaps-2 K "Health sweep" */
export interface NumberHealth {
  readonly verified_name: string | null
  readonly quality_rating: "green" | "yellow" | "red" | "unknown"
  /** The provider's name of the quality. */
  readonly upstream_quality_rating: string | null
  /** The provider's name of the daily allowance, such as `TIER_2K`; null when the provider does not tell. */
  readonly messaging_limit_tier: string | null
  /** True when that is the allowance of the number's portfolio, not of the number alone. U-LIM-01 */
  readonly is_portfolio_limit: boolean
  readonly upstream_throughput_tier: "1" | "2" | "3" | "4" | "unlimited" | null
  readonly pending_name: string | null
  readonly name_status: string | null
  /** Whether the number may be used by the provider's API; null when the provider does not tell. */
  readonly is_registered: boolean | null
  /** True for a number that its owner also uses in the provider's phone app. */
  readonly is_on_phone_app: boolean
}

/** Port to the health of one number. */
export interface NumberHealthProvider {
  readonly read: Effect.Effect<ChatCall<NumberHealth>>
}

/** A number of the chat platform within an environment. */
interface AskedNumber {
  readonly environment_id: string
  readonly upstream_phone_number_id: string
}

/** The account through which a number was reached in a call. */
export interface ReachedNumber {
  readonly biz_account_id: string
}

/**
 * Tests whether the environment's connection reaches a number, whether or not it is covered yet; undefined when it does
 * not, or cannot be called. gaps-2 K "State machine"
 */
export const ConnectedNumber = Context.Reference<(number: AskedNumber) => Effect.Effect<ReachedNumber | undefined>>(
  "@carteiro/provider/ConnectedNumber",
  { defaultValue: () => () => Effect.succeed(undefined) }
)
