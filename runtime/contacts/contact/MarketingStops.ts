import { Context, Effect } from "effect"

/**
 * Returns those of the match keys whose customers stopped the business's marketing messages at the provider; the room
 * that records the stops provides it. gaps-2 C "Upstream marketing stop"
 */
export const MarketingStops = Context.Reference<
  (environmentId: string, keys: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>>
>("@carteiro/runtime/contacts/contact/MarketingStops", { defaultValue: () => () => Effect.succeed(none) })

const none: ReadonlySet<string> = new Set()
