import { type Carteiro, CarteiroApiError } from "@carteiro/sdk"
import type { Stage } from "./Scenario.ts"

/** Returns a text message to the customer. */
export const textTo = ({ customer, number }: Stage, scenario?: string): Carteiro.SendMessage => ({
  channel: "chatapp",
  sender: { type: "chatapp_phone_number", id: number },
  recipient: { type: "phone_e164", id: customer },
  message: { type: "text", text: { body: "Olá!" } },
  ...(scenario === undefined ? {} : { metadata: { sandbox_scenario: scenario } })
})

/** Sends a message; if the service window is closed, a simulated customer's message opens it first. */
export const sendOpen = async (stage: Stage, body: Carteiro.SendMessage): Promise<Carteiro.MessageAccepted> => {
  const { client, number, shell } = stage
  const send = () => client.messages.send(body)
  return send().catch(async (error: unknown) => {
    if (!(error instanceof CarteiroApiError) || error.code !== "service_window_required") throw error
    shell.note("The service window is closed: the customer writes first.")
    const text = { body: "Oi" }
    await client.sandbox.simulateInbound({
      channel: "chatapp",
      from: body.recipient.id ?? stage.customer,
      to: number,
      type: "text",
      text
    })
    return send()
  })
}
