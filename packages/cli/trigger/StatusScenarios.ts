import type { Carteiro } from "@carteiro/sdk"
import { byId, type Scenario, type Stage, until } from "./Scenario.ts"
import { sendOpen, textTo } from "./Sends.ts"

const sent = (
  name: string,
  causes: string,
  events: ReadonlyArray<string>,
  scenario: string,
  body: (stage: Stage, scenario: string) => Carteiro.SendMessage = textTo
): Scenario => ({
  name,
  causes,
  events,
  play: async (stage) => byId(await sendOpen(stage, stage.filled(body(stage, scenario))))
})

const templateTo = (stage: Stage, scenario: string): Carteiro.SendMessage => ({
  ...textTo(stage, scenario),
  message: { type: "template", template: { name: "welcome", language: "pt_BR", variables: { 1: "Ana" } } }
})

/** Makes, publishes and sends a flow, which the simulated customer answers. M-FLOW-09 */
const flowCompleted: Scenario = {
  name: "flow.completed",
  causes: "a flow is made, published and sent; the customer fills it in",
  events: ["flow.completed"],
  play: async (stage) => {
    const { client, filled } = stage
    const screens = [{ id: "DATE", title: "Quando?" }]
    const flow = await client.flows.create({ name: "Agenda", flow_json: { version: "7.2", screens } })
    await client.flows.publish(flow.id)
    const parameters = { flow_id: flow.id, flow_token: "order-42", flow_cta: "Agendar" }
    const body = filled<Carteiro.SendMessage>({
      ...textTo(stage),
      message: { type: "flow", flow: { body: { text: "Quando?" }, action: { name: "flow", parameters } } },
      metadata: { sandbox_scenario: "flow_completed", sandbox_flow_response: { date: "2026-12-01" } }
    })
    return byId(await sendOpen(stage, body))
  }
}

/** The ways in which a sent message can end. gaps-2 J "Scenario names" */
export const statusScenarios: ReadonlyArray<Scenario> = [
  sent("message.sent", "a text is sent and stays there", ["message.sent"], "sent_only"),
  sent(
    "message.delivered",
    "a text is delivered and not read",
    ["message.sent", "message.delivered"],
    "delivered_only"
  ),
  sent(
    "message.read",
    "a text is sent, delivered and read",
    ["message.sent", "message.delivered", "message.read"],
    "success"
  ),
  sent("message.failed", "a text fails: sandbox_delivery_failure", ["message.failed"], "delivery_failure"),
  sent(
    "message.failed.opted_out",
    "a text fails: sandbox_recipient_opted_out",
    ["message.failed"],
    "recipient_opted_out"
  ),
  sent(
    "message.failed.template",
    "a template fails: sandbox_template_rejected",
    ["message.failed"],
    "template_rejected",
    templateTo
  ),
  sent(
    "message.paced",
    "a text waits 10 seconds for the sender's allowance (messaging_limit_pacing), then is read",
    ["message.sent", "message.delivered", "message.read"],
    "messaging_limit_pacing"
  ),
  flowCompleted,
  {
    name: "message.media_transcribed",
    causes: "a customer records a voice note, which is transcribed",
    events: ["message.media_transcribed"],
    play: async ({ client, customer, filled, number }) => {
      const voice = { kind: "audio", voice: true } as const
      const note = { channel: "chatapp", from: customer, to: number, type: "media", media: voice } as const
      const { id } = await client.sandbox.simulateInbound(note)
      const message = await until(
        () => client.messages.get(id),
        ({ media }) => media !== null && media.status !== "pending"
      )
      const assetId = message.media?.asset_id ?? ""
      const result = await client.media.transcriptions.create(assetId, filled({ language: "pt_BR" }))
      return { result, ids: [assetId] }
    }
  }
]
