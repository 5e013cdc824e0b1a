import { lowestIdAt } from "@carteiro/owners/Ids.ts"
import type { OwnerHandle } from "@carteiro/owners/Owner.ts"
import type { InboundContent } from "@carteiro/schema/messages/InboundContent.ts"
import { jsonText, readJsonOrNull } from "@carteiro/tables/StoredJson.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Effect } from "effect"
import type { NumberFacts } from "../facts/SendingFacts.ts"
import { captureRows } from "../receive/CaptureRows.ts"
import { sandboxMessageId, sandboxProvider } from "../sandbox/SandboxChat.ts"
import { flowResponse } from "../sandbox/SandboxScenario.ts"
import { simulatedPayload } from "../sandbox/SimulatedInbound.ts"
import type { SendDeps } from "./SendCalls.ts"
import type { SendProgress } from "./SendProgress.ts"

/**
 * Returns the answers of simulated customers to flows, where the scenario of the send has one: each is a unit with an
 * inbound message, message.received and flow.completed. Its id derives from the send's, so that a repeated answer is
 * written once.
 * M-FLOW-09..14, gaps-2 G "Sandbox 'flow_completed'"
 */
export const completionUnits = Effect.fnUntraced(function* (
  progress: ReadonlyArray<SendProgress>,
  number: NumberFacts,
  owner: Pick<OwnerHandle, "id" | "now">,
  deps: SendDeps
) {
  const units: Array<{ readonly rows: ReadonlyArray<Row> }> = []
  for (const { answered_at: scenario_at, message } of progress) {
    if (scenario_at === undefined || message.flow_id === null) continue
    // Without a delay the answer would have the instant, and so the id, of the send.
    const answered_at = Math.max(scenario_at, message.created_at + 1)
    const flow = yield* deps.flows.get(number.environment_id, message.flow_id)
    if (flow === undefined) continue
    const id = lowestIdAt("msg", answered_at).slice(0, timeLength) + message.id.slice(timeLength)
    const content: InboundContent = {
      type: "flow",
      flow: {
        name: flow.name,
        response: flowResponse(readJsonOrNull(message.metadata)) ?? {},
        provider_token: message.flow_token
      }
    }
    const provider_message_id = sandboxMessageId(id)
    const quoted_id = sandboxMessageId(message.id)
    const facts = { provider_message_id, customer_id: message.customer_id, received_at: answered_at }
    const item = {
      id,
      environment_id: number.environment_id,
      environment: number.environment,
      channel: message.channel,
      type: content.type,
      customer_id: message.customer_id,
      customer_key: message.customer_key,
      content: jsonText(content),
      metadata: null,
      trace_id: message.trace_id,
      created_at: answered_at,
      claim: undefined,
      contact_id: deps.ids.mint("con", answered_at),
      profile_name: null,
      provider: sandboxProvider,
      provider_message_id,
      context: { quoted_id, forwarded: false, frequently_forwarded: false },
      payload: jsonText(simulatedPayload({}, content, facts))
    }
    const references = { messageOf: () => message.id, groupOf: () => null, completed: { flow, message_id: message.id } }
    units.push(captureRows(item, { number, business_id: owner.id, now: owner.now(), ...references }, deps))
  }
  return units
})

/** The length of `msg_` and the ten characters of an id's instant. */
const timeLength = 14
