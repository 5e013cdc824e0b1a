import type { Instruments } from "@carteiro/owners/Instruments.ts"
import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { MessageStatus } from "@carteiro/schema/messages/Vocabulary.ts"

/** Counts messages that a commit has brought to a status. */
export type CountMessage = (
  environment: EnvironmentKind,
  direction: "inbound" | "outbound",
  status: MessageStatus
) => void

/** The metric `messages_total`: messages written by this node, each once for each status that it reaches. */
export const countMessages = (instruments: Instruments): CountMessage => {
  const family = instruments.counter({
    name: "messages_total",
    help: "Messages by the status they reached: one is counted at each status on its way",
    labels: ["environment", "direction", "status"]
  })
  return (environment, direction, status) => family(environment, direction, status)(1)
}
