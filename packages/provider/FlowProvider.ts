import { Context, Effect } from "effect"
import type { ChatCall } from "./ChatProvider.ts"
import type { ConnectedAccount } from "./TemplateProvider.ts"

/** A flow as its provider describes it. */
export interface ProviderFlow {
  readonly status: "draft" | "published" | "deprecated" | "blocked" | "throttled"
  /** Sentences, one a fault; empty when it may be published. */
  readonly validation_errors: ReadonlyArray<string>
}

/** Port to the flows of one business account. */
export interface FlowProvider {
  /** `external_id` is our id; it travels as idempotency key too, so that what was asked twice is made once. */
  readonly create: (flow: {
    readonly external_id: string
    readonly name: string
    readonly categories: ReadonlyArray<string>
  }) => Effect.Effect<ChatCall<{ readonly provider_flow_id: string }>>
  /** Looks up by our id a `create` that was not answered; null when the provider has no such flow. */
  readonly find: (external_id: string) => Effect.Effect<ChatCall<{ readonly provider_flow_id: string | null }>>
  /** Gives it its definition; the answer names what is wrong with it. Again replaces it. */
  readonly upload: (
    provider_flow_id: string,
    flow_json: unknown
  ) => Effect.Effect<ChatCall<{ readonly validation_errors: ReadonlyArray<string> }>>
  readonly publish: (provider_flow_id: string) => Effect.Effect<ChatCall<void>>
  readonly deprecate: (provider_flow_id: string) => Effect.Effect<ChatCall<void>>
  readonly remove: (provider_flow_id: string) => Effect.Effect<ChatCall<void>>
  readonly read: (provider_flow_id: string) => Effect.Effect<ChatCall<ProviderFlow>>
}

/** Finds the connected account of an environment; undefined when it has none. gaps-2 E "Choice of connection" */
export const ConnectedFlows = Context.Reference<
  (environment_id: string) => Effect.Effect<ConnectedAccount<FlowProvider> | undefined>
>("@carteiro/provider/ConnectedFlows", { defaultValue: () => () => Effect.succeed(undefined) })
