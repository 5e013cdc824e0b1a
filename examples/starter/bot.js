import { Carteiro } from "@carteiro/sdk"

// What the bot does. It needs CARTEIRO_API_KEY, and CARTEIRO_API_BASE for another server than one on this machine.
const carteiro = new Carteiro()

/** Handles one verified event; an error makes the delivery come again. */
export const onEvent = async (event) => {
  if (event.type !== "message.received") return
  const { content, recipient, sender } = event.data
  if (recipient.type !== "chatapp_phone_number" || sender.type !== "phone_e164") return
  const heard = content.type === "text" ? `Recebemos: “${content.text.body}”.` : "Recebemos a sua mensagem."
  await carteiro.messages.send(
    {
      channel: "chatapp",
      sender: { type: "chatapp_phone_number", id: recipient.id },
      recipient: { type: "phone_e164", id: sender.id },
      message: { type: "text", text: { body: `Olá! ${heard} Já respondemos.`.slice(0, 4096) } }
    },
    { idempotencyKey: `first answer to ${event.id}` }
  )
}
