import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { FlowNotFound } from "@carteiro/schema/flows/FlowErrors.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import type { knownFlowColumns } from "./FlowTables.ts"

/** The reference of a send to its flow: exactly one of the two members. M-FLOW-02 */
export interface FlowReference {
  readonly flow_id?: string | null | undefined
  readonly flow_name?: string | null | undefined
}

/** The parts of a flow that other rooms read and that `flow.completed` reports. M-EVT-08 */
export type KnownFlow = SelectedRow<typeof knownFlowColumns>

/** The flow of a send: `flow_id` is our id, null for a flow that only the provider knows. */
export interface SentFlow {
  readonly flow_id: string | null
  readonly provider_flow_id: string
}

/**
 * Returns the flow that a send names, among the flows found under that name: a published one of the environment. In
 * production a provider's id without a flow of ours is accepted unchanged. M-FLOW-03, M-FLOW-12, gaps-2 G "Flow named
 * in a send"
 */
export const resolveFlow = (
  reference: FlowReference,
  flow: KnownFlow | undefined,
  environment: EnvironmentKind
): SentFlow | FlowNotFound => {
  if (flow?.status === "published" && flow.provider_flow_id !== null) {
    return { flow_id: flow.id, provider_flow_id: flow.provider_flow_id }
  }
  const { flow_id } = reference
  return flow === undefined && environment === "production" && flow_id != null && !isOurFlow(flow_id)
    ? { flow_id: null, provider_flow_id: flow_id }
    : new FlowNotFound({ param: "message.flow.action.parameters" })
}

/** True when an id has the form of ours, whether or not the flow exists. */
export const isOurFlow = (flowId: string): boolean => flowId.startsWith("flw_")
