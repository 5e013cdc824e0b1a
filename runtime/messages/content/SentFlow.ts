import { type ApiError, isApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { OutboundContent } from "@carteiro/schema/messages/content/OutboundContent.ts"
import { Result } from "effect"
import type { SentFlow } from "../../flows/Flows.ts"

type FlowMessage = Extract<OutboundContent, { readonly type: "flow" }>["flow"]

/** A flow as stored: under the provider's name for it, with the token that matches its answer. */
interface StoredFlow {
  readonly flow: FlowMessage
  /** Our id; null for a flow that only the provider knows. */
  readonly flow_id: string | null
  readonly flow_token: string
}

/**
 * Returns the flow of a send under the provider's name for it. M-FLOW-02..04, M-FLOW-12, gaps-2 G "Flow named in a
 * send"
 */
export const resolveSentFlow = (
  flow: FlowMessage,
  sentFlow: SentFlow | ApiError
): Result.Result<StoredFlow, ApiError> => {
  if (isApiError(sentFlow)) return Result.fail(sentFlow)
  const { flow_name: _, ...parameters } = flow.action.parameters
  return Result.succeed({
    flow: { ...flow, action: { ...flow.action, parameters: { ...parameters, flow_id: sentFlow.provider_flow_id } } },
    flow_id: sentFlow.flow_id,
    flow_token: parameters.flow_token
  })
}
