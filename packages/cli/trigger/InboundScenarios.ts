import type { Carteiro } from "@carteiro/sdk"
import { activeGroup } from "./ResourceScenarios.ts"
import { byId, type Scenario, type Stage } from "./Scenario.ts"
import { sendOpen, textTo } from "./Sends.ts"

type Content = Pick<Carteiro.SimulateText, "type" | "text"> | { readonly type: Carteiro.SimulateInbound["type"] }

const inbound = (name: string, causes: string, content: (stage: Stage) => Content | Promise<Content>): Scenario => ({
  name,
  causes,
  events: ["message.received"],
  play: async (stage) => {
    const { client, customer, filled, number } = stage
    const own = await content(stage)
    const body = filled({ channel: "chatapp", from: customer, to: number, ...own } as Carteiro.SimulateInbound)
    return byId(await client.sandbox.simulateInbound(body))
  }
})

const media = (kind: "image" | "document" | "audio" | "video" | "sticker", more: object = {}) => ({
  type: "media" as const,
  media: { kind, ...more }
})

const button = { type: "button_reply", button_reply: { id: "yes", title: "Sim" } }
const row = { type: "list_reply", list_reply: { id: "slot-1", title: "10:00", description: "Terça" } }

const location = { latitude: -23.5614, longitude: -46.6559, name: "MASP", address: "Avenida Paulista, 1578" }
const card = { name: "Ana Souza", phones: ["+55 11 91234-5678"], emails: ["ana@example.com"] }
const order = { catalog_id: "catalog-1", items: [{ retailer_id: "di9", quantity: 2, item_price: 30, currency: "BRL" }] }

const shared = (unknown: Carteiro.SimulateUnknown["unknown"]) => ({ type: "unknown" as const, unknown })

/** Returns the id of a text that the customer writes first. */
const written = async ({ client, customer, number }: Stage): Promise<string> => {
  const text = { type: "text", text: { body: "Hoje" } } as const
  return (await client.sandbox.simulateInbound({ channel: "chatapp", from: customer, to: number, ...text })).id
}

/** Messages from a customer, one scenario a type. M-SBX-03..11 */
export const inboundScenarios: ReadonlyArray<Scenario> = [
  inbound("message.received", "a customer writes a text, which opens the service window", () => ({
    type: "text",
    text: { body: "Oi" }
  })),
  inbound("message.received.hidden_phone", "a customer who hides the phone writes a text, known by an id", () => ({
    from: "",
    user_id: "BR.13491208655302741918",
    username: "@maria",
    type: "text",
    text: { body: "Oi" }
  })),
  inbound("message.received.referral", "a customer writes from an advertisement", () => ({
    type: "text",
    text: { body: "Oi" },
    referral: { source_type: "ad", source_id: "120226305854810726", headline: "Agende hoje", click_id: "Aff-x" }
  })),
  inbound("message.received.reply", "a customer answers a message, which is sent first", async (stage) => {
    const sent = await sendOpen(stage, textTo(stage))
    return { type: "text", text: { body: "Sim" }, context: { reply_to: { message_id: sent.id } } }
  }),
  inbound("message.received.group", "a customer writes in a group, which is made first", async (stage) => {
    const { id } = await activeGroup(stage)
    return { type: "text", text: { body: "Oi, grupo" }, group_id: id }
  }),
  inbound("message.received.image", "a customer sends an image", () => media("image", { caption: "Foto" })),
  inbound("message.received.document", "a customer sends a document", () => media("document")),
  inbound("message.received.audio", "a customer sends an audio file", () => media("audio")),
  inbound("message.received.voice", "a customer records a voice note", () => media("audio", { voice: true })),
  inbound("message.received.video", "a customer sends a video", () => media("video")),
  inbound("message.received.sticker", "a customer sends a sticker", () => media("sticker")),
  inbound("message.received.button_reply", "a customer taps a button", () => ({
    type: "interactive",
    interactive: button
  })),
  inbound("message.received.list_reply", "a customer picks a row of a list", () => ({
    type: "interactive",
    interactive: row
  })),
  inbound("message.received.flow", "a customer's answers to a flow arrive as a message", () => ({
    type: "flow",
    flow: { response: { date: "2026-12-01" } }
  })),
  inbound("message.received.reaction", "a customer reacts to a message, which is sent first", async (stage) => {
    const sent = await sendOpen(stage, textTo(stage))
    return { type: "reaction", reaction: { message_id: sent.id, emoji: "👍" } }
  }),
  inbound("message.received.unsupported", "a customer sends what the provider does not deliver (131051)", () => ({
    type: "unsupported"
  })),
  inbound("message.received.location", "a customer sends a location", () => shared({ location })),
  inbound("message.received.contacts", "a customer sends a card of an address book", () =>
    shared({ contacts: [card] })
  ),
  inbound("message.received.order", "a customer orders a product of a catalog", () => shared({ order })),
  inbound("message.received.edit", "a customer corrects a message, which is written first", async (stage) => ({
    ...shared({ edit: { message_id: await written(stage), content: { type: "text", text: { body: "Amanhã" } } } })
  })),
  inbound("message.received.revoke", "a customer withdraws a message, which is written first", async (stage) => ({
    ...shared({ revoke: { message_id: await written(stage) } })
  })),
  inbound("message.received.unknown", "a customer sends a type that is not understood here", () => ({
    type: "unknown"
  }))
]
