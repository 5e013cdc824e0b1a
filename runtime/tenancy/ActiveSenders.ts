import { Context, Effect } from "effect"

/**
 * Returns the number of an environment's active phone numbers, for the preflight of a new key; the room that owns the
 * numbers provides it, and without one it is `undefined`. gaps-1 E "200 body"
 */
export const ActiveSenders = Context.Reference<(environmentId: string) => Effect.Effect<number | undefined>>(
  "@carteiro/runtime/tenancy/ActiveSenders",
  { defaultValue: () => () => Effect.undefined }
)
