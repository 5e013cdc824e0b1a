import { Context, Effect } from "effect"

/**
 * Returns the number of phone numbers that count towards an account's plan: those of an organization's production
 * environments (`org_…`), or of one sandbox (`env_…`). The room that owns the numbers provides it. gaps-3 E "Phone
 * count for plan_phone_limit_reached"
 */
export const CountedNumbers = Context.Reference<(accountId: string) => Effect.Effect<number>>(
  "@carteiro/runtime/tenancy/CountedNumbers",
  { defaultValue: () => () => Effect.succeed(0) }
)
