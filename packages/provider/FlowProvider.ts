import { Context, Effect } from "effect"
import type { ChatCall } from "./ChatProvider.ts"
import type { ConnectedAccount } from "./TemplateProvider.ts"

/** A flow as its provider describes it. */
export interface ProviderFlow {
  readonly status: "draft" | "published" | "deprecated" | "blocked" | "throttled"
  /** One sentence a fault; empty when the flow may be published. */
  readonly validation_errors: ReadonlyArray<string>
}

/** Port to the flows of one business account. */
export interface FlowProvider {
  /**
   * Creates a flow. `external_id` is the product's id, under which the provider keeps one flow alone, so that a
   * repeated request makes one flow.
   */
  readonly create: (flow: {
    readonly external_id: string
    readonly name: string
    readonly categories: ReadonlyArray<string>
  }) => Effect.Effect<ChatCall<{ readonly provider_flow_id: string }>>
  /** Looks up, by the product's id, the flow of an unanswered `create`; null when the provider has none. */
  readonly find: (external_id: string) => Effect.Effect<ChatCall<{ readonly provider_flow_id: string | null }>>
  /** Uploads or replaces the definition; the response names its faults. */
  readonly upload: (
    provider_flow_id: string,
    flow_json: unknown
  ) => Effect.Effect<ChatCall<{ readonly validation_errors: ReadonlyArray<string> }>>
  readonly publish: (provider_flow_id: string) => Effect.Effect<ChatCall<void>>
  readonly deprecate: (provider_flow_id: string) => Effect.Effect<ChatCall<void>>
  readonly remove: (provider_flow_id: string) => Effect.Effect<ChatCall<void>>
  readonly read: (provider_flow_id: string) => Effect.Effect<ChatCall<ProviderFlow>>
}

/** Returns the connected account of an environment; undefined when it has none. gaps-2 E "Choice of connection" */
export const ConnectedFlows = Context.Reference<
  (environment_id: string) => Effect.Effect<ConnectedAccount<FlowProvider> | undefined>
>("@carteiro/provider/ConnectedFlows", { defaultValue: () => () => Effect.succeed(undefined) })
