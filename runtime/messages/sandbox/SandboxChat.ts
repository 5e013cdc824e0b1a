import type { ChatAnswer } from "@carteiro/provider/ChatProvider.ts"
import type { MessagePricing } from "@carteiro/schema/messages/Message.ts"
import { isGroupId, type MessageType } from "@carteiro/schema/messages/Vocabulary.ts"
import { isWindowOpen } from "../message/ServiceWindow.ts"
import { type Scenario, script } from "./SandboxScenario.ts"

/** The `provider` that reads show of a simulated message. gaps-2 J "Status timing" */
export const sandboxProvider = "sandbox"

/** Returns the provider id of a simulated message. gaps-2 J "Status timing" */
export const sandboxMessageId = (id: string): string => `sb_${id}`

/** Returns the message with that simulated id, which its row has once it is sent. */
export const simulatedMessage = (provider_message_id: string): string => provider_message_id.replace(/^sb_/, "")

/** The parts of a message on which its simulated answer depends. */
interface SimulatedSend {
  readonly id: string
  readonly type: MessageType
  /** Null for the default scenario. */
  readonly scenario: Scenario | null
}

/** Returns the answer of the message's scenario, made in this process: no socket is ever opened. M-MSG-59, M-SBX-25 */
export const simulatedAnswer = ({ id, scenario, type }: SimulatedSend): ChatAnswer => {
  const provider_message_id = sandboxMessageId(id)
  // Only the answer is read here, so the times of the script do not matter.
  const steps = script({ scenario: scenario ?? "success", type, accepted_at: 0, unit_ms: 0, provider_message_id })
  for (const { trigger } of steps) {
    if (trigger._tag === "Reject") return { _tag: "Rejected", code: trigger.failure.code, error: null }
  }
  return { _tag: "Accepted", provider_message_id, response: { messages: [{ id: provider_message_id }] } }
}

/** The parts of a message on which its simulated price depends. */
interface PricedSend {
  readonly customer_key: string
  readonly template_category: "marketing" | "utility" | "authentication" | null
  readonly latest_inbound_at: number | null
}

/**
 * Returns the price as the platform reports it: within the window, messages without a template and utility templates are
 * free; other templates are billed by their category. `now` in epoch milliseconds. U-STA-01
 */
export const simulatedPricing = (
  { customer_key, latest_inbound_at, template_category }: PricedSend,
  now: number
): MessagePricing => {
  const isFreeInWindow = template_category === null || template_category === "utility"
  const billable = !isFreeInWindow || !isWindowOpen(latest_inbound_at ?? undefined, now)
  const category = template_category ?? "service"
  return {
    billable,
    category: isGroupId(customer_key) ? `group_${category}` : category,
    type: billable ? "regular" : "free_customer_service",
    model: "PMP"
  }
}
