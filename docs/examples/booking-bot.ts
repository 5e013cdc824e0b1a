// A barber's bot: a customer writes, gets the price list and three times to choose from, pays by Pix and has a booking.
// It needs CARTEIRO_API_KEY; CARTEIRO_API_BASE, PORT and BOT_URL are optional. The quickstart walks through it.

import { createServer } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import { Carteiro, CarteiroSignatureError } from "@carteiro/sdk"

const carteiro = new Carteiro()
const port = Number(process.env.PORT ?? 4020)
const url = process.env.BOT_URL ?? `http://127.0.0.1:${port}/hook`
const slots: Readonly<Record<string, string>> = {
  "slot-10": "Amanhã, 10h",
  "slot-14": "Amanhã, 14h",
  "slot-17": "Amanhã, 17h"
}

const { sender } = await carteiro.sandbox.quickstart()
const from = { type: "chatapp_phone_number", id: sender.phone_number_id ?? "" } as const

/** Sends once for each key: an event that is delivered again sends nothing again. */
const send = (to: string, message: Carteiro.SendMessage["message"], idempotencyKey: string) =>
  carteiro.messages.send(
    { channel: "chatapp", sender: from, recipient: { type: "phone_e164", id: to }, message },
    { idempotencyKey }
  )

// The price list is uploaded once and goes with any number of messages.
const prices = await carteiro.media.upload({
  source: new File(["Corte R$ 60\nBarba R$ 40\n"], "precos.txt", { type: "text/plain" }),
  lifecycle: "library"
})

/** Writes the template of the confirmation unless it is there, and waits for its review. */
const confirmationTemplate = async (): Promise<string> => {
  const name = "booking_confirmed"
  const [known] = await carteiro.templates.list({ name, status: "approved" }).toArray({ limit: 1 })
  if (known !== undefined) return name
  const draft = await carteiro.templates.create({
    name,
    language: "pt_BR",
    category: "utility",
    components: [
      {
        type: "BODY",
        text: "Pagamento recebido. Seu horário: {{1}}. Até lá!",
        example: { body_text: [["Amanhã, 10h"]] }
      }
    ]
  })
  await carteiro.templates.submit(draft.id)
  while ((await carteiro.templates.get(draft.id)).status === "submitted") await sleep(200)
  return name
}

/** The customer wrote, or tapped a button. */
const onMessage = async ({ data, id }: Carteiro.MessageReceivedEvent) => {
  const customer = data.sender.id
  const reply = data.content.type === "interactive" ? data.content.interactive : undefined
  const slot = reply?.type === "button_reply" ? slots[reply.button_reply.id] : undefined
  if (slot === undefined) {
    const list = { kind: "document", asset_id: prices.id, caption: "Nossos preços" } as const
    await send(customer, { type: "media", media: list }, `prices ${id}`)
    const buttons = Object.entries(slots).map(([key, title]) => ({ type: "reply", reply: { id: key, title } }) as const)
    const choice = { type: "button", body: { text: "Qual horário você prefere?" }, action: { buttons } } as const
    await send(customer, { type: "interactive", interactive: choice }, `slots ${id}`)
    return
  }
  await carteiro.payments.create(
    { amount_brl_centavos: 6000, description: `Corte, ${slot}`, customer_phone: customer, external_reference: slot },
    { idempotencyKey: `payment ${id}` }
  )
}

/** The link of a payment is there; a provider of Pix codes gives a code to paste too. */
const onLink = async ({ data, id }: Carteiro.PaymentApprovalAvailableEvent) => {
  const payment = await carteiro.payments.get(data.id)
  const body = `R$ 60 por Pix reserva o horário: ${payment.pix_copy_paste ?? payment.payment_link_url}`
  if (payment.customer_phone !== null)
    await send(payment.customer_phone, { type: "text", text: { body } }, `link ${id}`)
}

/** Paid, perhaps days later: a template needs no message of the last 24 hours. */
const onPaid = async ({ data, id }: Carteiro.PaymentPaidEvent, name: string) => {
  const variables = { "1": data.external_reference ?? "" }
  if (data.customer_phone === null) return
  await send(data.customer_phone, { type: "template", template: { name, language: "pt_BR", variables } }, `paid ${id}`)
}

const template = await confirmationTemplate()
const subscribed = ["message.received", "payment.approval_available", "payment.paid"] as const
const endpoint = await carteiro.webhooks.endpoints.create({ url, subscribed_events: subscribed })

const server = createServer(async (request, response) => {
  const chunks: Array<Uint8Array> = []
  for await (const chunk of request) chunks.push(chunk)
  try {
    const event = await carteiro.webhooks.verify(Buffer.concat(chunks), request.headers, endpoint.signing_secret)
    if (event.type === "message.received") await onMessage(event)
    if (event.type === "payment.approval_available") await onLink(event)
    if (event.type === "payment.paid") await onPaid(event, template)
    console.log(event.type, event.id)
    response.writeHead(204).end()
  } catch (error) {
    // A delivery that failed comes again; the keys keep what was sent already from being sent twice.
    const isForged = error instanceof CarteiroSignatureError
    console.error(isForged ? error.message : error)
    response.writeHead(isForged ? 400 : 500).end()
  }
})
server.listen(port, () => console.log(`bot ${url}`))

const stop = async () => {
  await carteiro.webhooks.endpoints.delete(endpoint.id)
  server.close()
  server.closeAllConnections()
}
process.once("SIGTERM", stop).once("SIGINT", stop)
