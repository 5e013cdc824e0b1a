import { Context, Effect } from "effect"

/**
 * How many phone numbers an account has that count towards its plan, told by the room that owns them: those of an
 * organization's production environments (`org_…`), or of one sandbox (`env_…`). gaps-3 E "Phone count for
 * plan_phone_limit_reached"
 */
export const CountedNumbers = Context.Reference<(accountId: string) => Effect.Effect<number>>(
  "@carteiro/runtime/tenancy/CountedNumbers",
  { defaultValue: () => () => Effect.succeed(0) }
)
