import type { ShownMessage } from "@carteiro/schema/messages/MessageLookupsApi.ts"
import { conversation, readerClock } from "../chat/ChatParts.ts"
import { conversationList } from "../chat/ConversationList.ts"
import { type Html, html } from "../kit/Html.ts"
import { phonePreview } from "../kit/PhonePreview.ts"

const customer = "+5521987651234"
const number = "pn_01m8jqhz081ype8cepj63rtkdw"
const environment = "env_01m8jqhz081ype8cepj63rtkdw"

/** Returns a message of a made-up conversation. */
const said = (
  place: number,
  direction: "inbound" | "outbound",
  status: "received" | "read" | "delivered",
  body: string
): ShownMessage => {
  const [created_at, business] = [`2026-11-21T14:0${place}:09.000Z`, { type: "chatapp_phone_number", id: number }]
  const person = { type: "phone_e164", id: customer }
  return {
    message: {
      id: `msg_01m8jqhz081ype8cepj63rtkd${place}`,
      object: "message",
      channel: "chatapp",
      direction,
      type: "text",
      status,
      status_reason: null,
      environment: "sandbox",
      sender: { ...(direction === "inbound" ? person : business), profile_name: null },
      recipient: direction === "inbound" ? business : person,
      provider: "sandbox",
      provider_message_id: null,
      template_id: null,
      template_version_id: null,
      template_version: null,
      template_name: null,
      media: null,
      unsupported: null,
      unknown: null,
      metadata: null,
      error_code: null,
      error_message: null,
      provider_error: null,
      redacted_at: null,
      delivery_unconfirmed_at: null,
      events: [],
      trace_id: "4bf92f3577b34da6a3ce929d0e0e4736",
      created_at,
      updated_at: created_at
    },
    content: { type: "text", text: { body } },
    subject: null
  }
}

const newestFirst = [
  said(3, "outbound", "delivered", "Sai hoje à tarde, Fábio! Aqui está o rastreio."),
  said(2, "inbound", "received", "Meu pedido 1057 já saiu?"),
  said(1, "outbound", "read", "Oi, Fábio! Em que podemos ajudar?")
]

const clock = readerClock("America/Sao_Paulo")

/** A template on its reader's phone. */
export const phone: Html = phonePreview(
  [
    { type: "HEADER", format: "IMAGE" },
    { type: "BODY", text: "Oi, {{1}}! Seu pedido *{{2}}* saiu para entrega." },
    { type: "FOOTER", text: "Loja da Ana" },
    {
      type: "BUTTONS",
      buttons: [
        { type: "URL", text: "Acompanhar", url: "https://loja.example/pedidos/1057" },
        { type: "QUICK_REPLY", text: "Falar com a loja" }
      ]
    }
  ],
  { header: {}, body: { 1: "Fábio", 2: "1057" } },
  "Loja da Ana"
)

/** The conversations of a sandbox beside one of them. */
export const talk: Html = html`<div class="chat open"><nav class="list" aria-label="${"Made-up conversations"}">${conversationList(
  {
    conversations: newestFirst
      .slice(0, 1)
      .map((newest) => ({ customer, name: "Fábio Nunes", isOptedOut: false, newest })),
    environment,
    open: customer,
    clock,
    today: "2026-11-21",
    maySend: false
  }
)}</nav><div class="thread">${conversation({
  talk: { environment, customer, number, csrf: "none", mayWrite: false, maySend: false },
  rows: newestFirst,
  side: "customer",
  templates: new Map(),
  clock,
  reactionsTo: () => html``
})}</div></div>`
