import { Context, Effect } from "effect"

/**
 * How many active phone numbers an environment has, told by the room that owns them; `undefined` where nothing can
 * tell. The preflight of a new key shows it. gaps-1 E "200 body"
 */
export const ActiveSenders = Context.Reference<(environmentId: string) => Effect.Effect<number | undefined>>(
  "@carteiro/runtime/tenancy/ActiveSenders",
  { defaultValue: () => () => Effect.undefined }
)
