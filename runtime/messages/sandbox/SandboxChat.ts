import type { ChatAnswer, ChatProvider, ChatSend } from "@carteiro/provider/ChatProvider.ts"
import type { MessageType } from "@carteiro/schema/messages/Vocabulary.ts"
import { Effect } from "effect"
import { type Scenario, scenarios, script } from "./SandboxScenario.ts"

/** The id a simulated message carries. gaps-2 J "Status timing" */
export const sandboxMessageId = (id: string): string => `sb_${id}`

/** Answers as the message's scenario says, inside the process: no socket is ever opened. M-MSG-59, M-SBX-25 */
export const sandboxChat: ChatProvider = {
  name: "sandbox",
  inProcess: true,
  send: (sends) => Effect.succeed(sends.map(answerTo))
}

const answerTo = (send: ChatSend): ChatAnswer => {
  const provider_message_id = sandboxMessageId(send.message_id)
  const scenario: Scenario = scenarios.find((name) => name === send.scenario) ?? "success"
  // Only the answer is asked for here, so the clock of the script does not matter.
  const steps = script({ scenario, type: send.type as MessageType, accepted_at: 0, unit_ms: 0, provider_message_id })
  for (const { trigger } of steps) {
    if (trigger._tag === "Reject") return { _tag: "Rejected", code: trigger.failure.code, error: null }
  }
  return { _tag: "Accepted", provider_message_id, response: { messages: [{ id: provider_message_id }] } }
}
