import { Context, Effect } from "effect"

/**
 * Which customers stopped marketing messages of the business at the provider, out of those of these match keys; whoever
 * records that answers. gaps-2 C "Upstream marketing stop"
 */
export const MarketingStops = Context.Reference<
  (environmentId: string, keys: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>>
>("@carteiro/runtime/contacts/contact/MarketingStops", { defaultValue: () => () => Effect.succeed(none) })

const none: ReadonlySet<string> = new Set()
