import { Context, Effect } from "effect"
import type { ChatCall } from "../ChatProvider.ts"

/** How a call that must not be made twice ended. */
export type GroupCall<A> =
  | Exclude<ChatCall<A>, { readonly _tag: "Failed" }>
  /** Certainly not taken: it may be made again. */
  | { readonly _tag: "NotSent" }
  /** The provider may have taken it. */
  | { readonly _tag: "Unknown" }

/** The facts that decide whether a number may host groups; null where the provider does not say. gaps-3 B "Production eligibility source" */
export interface GroupHostFacts {
  readonly platform_type: string | null
  readonly is_business_app: boolean | null
  readonly is_official: boolean | null
  readonly may_message: boolean | null
}

/** Port to the groups of one number. gaps-3 B "Production group calls" */
export interface GroupProvider {
  /** The provider reports the outcome later under the name it gives the request. `group_id` is ours, as idempotency key. */
  readonly create: (group: {
    readonly group_id: string
    readonly subject: string
    readonly description: string | null
  }) => Effect.Effect<GroupCall<{ readonly request_id: string }>>
  readonly remove: (provider_group_id: string) => Effect.Effect<GroupCall<{ readonly request_id: string }>>
  /** Makes another link; earlier ones stop working. */
  readonly resetLink: (provider_group_id: string) => Effect.Effect<GroupCall<{ readonly invite_link: string }>>
  /** Reads the number and its account. */
  readonly facts: Effect.Effect<ChatCall<GroupHostFacts>>
}

/** Finds who carries the groups of a number; undefined when nobody may now. gaps-2 E "Choice of connection" */
export const ConnectedGroups = Context.Reference<
  (number: {
    readonly environment_id: string
    readonly phone_number_id: string
  }) => Effect.Effect<GroupProvider | undefined>
>("@carteiro/provider/groups/ConnectedGroups", { defaultValue: () => () => Effect.succeed(undefined) })

/** A notice about groups of one number. */
export type GroupNotice =
  /** The outcome of a request it took. */
  | {
      readonly kind: "group_created"
      readonly request_id: string
      readonly provider_group_id: string
      readonly invite_link: string
    }
  | { readonly kind: "group_deleted"; readonly request_id: string }
  | { readonly kind: "group_refused"; readonly request_id: string; readonly message: string }
  /** Somebody joined or left; epoch milliseconds, in whole seconds. */
  | {
      readonly kind: "group_participant"
      readonly provider_group_id: string
      readonly chat_id: string
      readonly action: "join" | "remove"
      readonly initiated_by: "participant" | "business"
      readonly at: number
    }
