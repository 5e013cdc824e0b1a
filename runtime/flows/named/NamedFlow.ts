import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { FlowNotFound } from "@carteiro/schema/flows/FlowErrors.ts"
import type { FlowStatus } from "@carteiro/schema/flows/FlowEvents.ts"

/** How a send names its flow: by exactly one of the two. M-FLOW-02 */
export interface FlowReference {
  readonly flow_id?: string | null | undefined
  readonly flow_name?: string | null | undefined
}

/** The part of a flow that other rooms know, and that `flow.completed` tells. M-EVT-08 */
export interface KnownFlow {
  readonly id: string
  readonly name: string
  readonly status: typeof FlowStatus.Type
  readonly provider_flow_id: string | null
  readonly rejection_reason: string | null
}

/** The flow of a send: `flow_id` is ours, null for one that only the provider knows. */
export interface SentFlow {
  readonly flow_id: string | null
  readonly provider_flow_id: string
}

/**
 * The flow that a send names, out of what was found under that name: a published one of the environment. In production
 * a provider's id that no flow of ours has is taken as it is. M-FLOW-03, M-FLOW-12, gaps-2 G "Flow named in a send"
 */
export const resolveFlow = (
  reference: FlowReference,
  found: KnownFlow | undefined,
  environment: EnvironmentKind
): SentFlow | FlowNotFound => {
  if (found?.status === "published" && found.provider_flow_id !== null) {
    return { flow_id: found.id, provider_flow_id: found.provider_flow_id }
  }
  const { flow_id } = reference
  return found === undefined && environment === "production" && flow_id != null && !isOurs(flow_id)
    ? { flow_id: null, provider_flow_id: flow_id }
    : new FlowNotFound({ param: "message.flow.action.parameters" })
}

/** An id of ours, whether or not there is such a flow. */
export const isOurs = (flowId: string): boolean => flowId.startsWith("flw_")
