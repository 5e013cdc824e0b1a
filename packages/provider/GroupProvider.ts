import { Context, Effect } from "effect"
import type { ChatCall } from "./ChatProvider.ts"

/** The result of a call that must not be made twice. */
export type GroupCall<A> =
  | Exclude<ChatCall<A>, { readonly _tag: "Failed" }>
  /** Certainly not taken: it may be repeated. */
  | { readonly _tag: "NotSent" }
  /** The provider may have taken it. */
  | { readonly _tag: "Unknown" }

/**
 * The facts that decide whether a number may host groups; null if the provider does not report them. gaps-3 B
 * "Production eligibility source"
 */
export interface GroupHostFacts {
  readonly platform_type: string | null
  readonly is_business_app: boolean | null
  readonly is_official: boolean | null
  readonly may_message: boolean | null
}

/** Port to the groups of one number. gaps-3 B "Production group calls" */
export interface GroupProvider {
  /**
   * Requests a group. The provider reports the outcome later under the name in its response. `group_id` is the
   * product's id and the idempotency key.
   */
  readonly create: (group: {
    readonly group_id: string
    readonly subject: string
    readonly description: string | null
  }) => Effect.Effect<GroupCall<{ readonly request_id: string }>>
  /** Requests a deletion; the provider reports its end for the group's id, which has no request id. U-GRP-01 */
  readonly remove: (provider_group_id: string) => Effect.Effect<GroupCall<{ readonly request_id: string | null }>>
  /** Replaces the link; earlier ones stop working. */
  readonly resetLink: (provider_group_id: string) => Effect.Effect<GroupCall<{ readonly invite_link: string }>>
  /** Reads the number and its account. */
  readonly facts: Effect.Effect<ChatCall<GroupHostFacts>>
}

/** Returns the provider of a number's groups; undefined when there is none now. gaps-2 E "Choice of connection" */
export const ConnectedGroups = Context.Reference<
  (number: {
    readonly environment_id: string
    readonly phone_number_id: string
  }) => Effect.Effect<GroupProvider | undefined>
>("@carteiro/provider/ConnectedGroups", { defaultValue: () => () => Effect.succeed(undefined) })

/** A report about a request, by its id, or about a group of the provider where there is none; one of them is known. */
interface GroupReported<Kind extends string> {
  readonly kind: Kind
  readonly request_id: string | null
  readonly provider_group_id: string | null
}

/** A notice about groups of one number. */
export type GroupNotice =
  /** The outcome of a request that the provider accepted. */
  | {
      readonly kind: "group_created"
      readonly request_id: string
      readonly provider_group_id: string
      readonly invite_link: string
    }
  | GroupReported<"group_deleted">
  | (GroupReported<"group_refused"> & { readonly message: string })
  /** The platform suspended a group, or lets it go on; epoch milliseconds. U-SND-11 */
  | {
      readonly kind: "group_suspension"
      readonly request_id: null
      readonly provider_group_id: string
      readonly is_suspended: boolean
      readonly at: number
    }
  /** A participant joined or left; epoch milliseconds, in whole seconds. */
  | {
      readonly kind: "group_participant"
      readonly provider_group_id: string
      readonly chat_id: string
      readonly action: "join" | "remove"
      readonly initiated_by: "participant" | "business"
      readonly at: number
    }
