import type { SharedContact, SharedOrder, UnknownContent } from "@carteiro/schema/messages/InboundContent.ts"
import type { ShownMessage } from "@carteiro/schema/messages/MessageLookupsApi.ts"
import type { MessageStatus } from "@carteiro/schema/messages/Vocabulary.ts"
import type { IconName } from "../kit/design/IconNames.ts"
import { formattedText } from "../kit/FormattedText.ts"
import { type Html, html, type Piece } from "../kit/Html.ts"
import { icon } from "../kit/Icons.ts"
import { contractWord, statusWord } from "../kit/Language.ts"
import { none } from "../kit/Parts.ts"
import { memberOf, textAt } from "./MessageParts.ts"

/** A button, or a row of a list, that a customer can tap. */
export interface Tap {
  readonly reply: "button_reply" | "list_reply"
  readonly id: string
  readonly title: string
}

/** Returns the content as the customer sees it. */
export const contentPiece = (content: ShownMessage["content"]): Piece => {
  if (content === null) return none("erased")
  const inner = memberOf(content, content.type)
  switch (content.type) {
    case "text":
      return formattedText(textAt(inner, "body") ?? "")
    case "media":
      return [
        html`<span class="attachment">${icon(mediaIcons[textAt(inner, "kind") ?? ""] ?? "file")}${contractWord(textAt(inner, "kind") ?? "file")}${named(textAt(inner, "filename"))}</span>`,
        textAt(inner, "caption")
      ]
    case "interactive":
      return interactivePiece(inner)
    case "template":
      return [html`<span class="attachment">template: ${textAt(inner, "name")}</span>`, valuesOf(inner)]
    case "reaction":
      return textAt(inner, "emoji") ?? none("reaction taken back")
    case "flow":
      return flowPiece(inner)
    case "location":
    case "contacts":
      return sharedPiece({ [content.type]: inner }) ?? typePiece(content.type, inner)
    case "unknown":
      return changePiece(inner) ?? sharedPiece(inner) ?? typePiece(content.type, inner)
    default:
      return typePiece(content.type, inner)
  }
}

const mediaIcons: Readonly<Record<string, IconName>> = {
  image: "media",
  video: "video",
  audio: "audio",
  sticker: "sticker"
}

const typePiece = (type: string, inner: unknown): Piece =>
  html`<span class="attachment">${contractWord(type)}${named(textAt(inner, "provider_type"))}</span>`

const named = (name: string | undefined): Piece => name && `: ${name}`

const interactivePiece = (inner: unknown): Piece => {
  const reply = textAt(memberOf(inner, "button_reply"), "title") ?? textAt(memberOf(inner, "list_reply"), "title")
  if (reply !== undefined) return reply
  const header = memberOf(inner, "header")
  const title = textAt(header, "text")
  const footer = textAt(memberOf(inner, "footer"), "text")
  return [
    title && html`<strong>${title}</strong>\n`,
    memberOf(header, "media") !== undefined &&
      html`<span class="attachment">${contractWord(textAt(header, "type") ?? "file")}</span>\n`,
    textAt(memberOf(inner, "body"), "text"),
    footer && html`\n${none(html`${footer}`)}`,
    ...actionPieces(inner)
  ]
}

/** Returns what a list, an address or a request for a location offers. */
const actionPieces = (inner: unknown): ReadonlyArray<Piece> => {
  const action = memberOf(inner, "action")
  switch (textAt(inner, "type")) {
    case "list":
      return [html`\n<span class="attachment">${textAt(action, "button")}</span>`]
    case "cta_url": {
      const { display_text, url } = (memberOf(action, "parameters") ?? {}) as Readonly<Record<string, unknown>>
      return [html`\n<span class="attachment">${String(display_text)}</span> <code class="url">${String(url)}</code>`]
    }
    case "location_request":
      return [html`\n<span class="attachment">${contractWord("location_request")}</span>`]
    default:
      return []
  }
}

const flowPiece = (inner: unknown): Piece => {
  const told = textAt(memberOf(inner, "body"), "text")
  if (told !== undefined) {
    const label = textAt(memberOf(memberOf(inner, "action"), "parameters"), "flow_cta")
    return [told, html`\n<span class="attachment">flow${named(label)}</span>`]
  }
  return [
    html`<span class="attachment">flow answer${named(textAt(inner, "name"))}</span>`,
    html`<code>${JSON.stringify(memberOf(inner, "response") ?? {})}</code>`
  ]
}

/** Returns a correction, a withdrawal or a change of the customer; undefined for any other content. */
const changePiece = (inner: unknown): Piece | undefined => {
  const { edit, revoke, system } = inner as Partial<UnknownContent>
  if (edit) {
    const { content } = edit
    const corrected = content === null ? undefined : content.type === "text" ? content.text.body : content.media.caption
    return [html`<span class="attachment">correction of a message</span>`, corrected]
  }
  if (revoke) return html`<span class="attachment">withdrawal of a message</span>`
  if (system === undefined) return undefined
  const { change, current, previous } = system
  const names = [previous, current].map((one) => one?.phone ?? one?.user_id ?? "?")
  return [
    html`<span class="attachment">change of the customer: ${contractWord(change)}</span>`,
    (previous ?? current) !== null && html`<code>${names.join(" → ")}</code>`
  ]
}

/** Cards and ordered products that a bubble lists. */
const mostShown = 20

/** Returns a location, cards or an order as the customer sees them; undefined for any other content. */
const sharedPiece = (inner: unknown): Piece | undefined => {
  const { contacts, location, order } = inner as Partial<UnknownContent>
  if (location) {
    const { address, latitude, longitude, name } = location
    return [
      html`<span class="attachment">${contractWord("location")}${name && `: ${name}`}</span>`,
      address && html`${address}\n`,
      html`<code>${latitude}, ${longitude}</code>`
    ]
  }
  if (contacts) {
    return [
      html`<span class="attachment">${contractWord("contacts")}</span>`,
      ...contacts.slice(0, mostShown).map(cardPiece)
    ]
  }
  return order && [html`<span class="attachment">${contractWord("order")}</span>`, order.text, ...itemsOf(order)]
}

const cardPiece = ({ emails = [], name, organization, phones = [] }: Partial<SharedContact>): Piece =>
  html`\n${[name, organization, ...phones, ...emails].filter((text) => text !== undefined).join(", ")}`

const itemsOf = ({ items }: SharedOrder): ReadonlyArray<Piece> =>
  items.slice(0, mostShown).map(({ currency, item_price, quantity, retailer_id }) => {
    const price = item_price === undefined ? "" : ` · ${[currency, item_price].filter(Boolean).join(" ")}`
    return html`\n${`${quantity ?? 1} × ${retailer_id ?? "?"}${price}`}`
  })

/** Returns the values of a template, which its text takes in. */
const valuesOf = (inner: unknown): Piece => {
  const variables = memberOf(inner, "variables")
  return variables === undefined ? undefined : html`<code>${JSON.stringify(variables)}</code>`
}

/** Returns the buttons and rows of a message to a customer; none for any other. */
export const tapsOf = (content: ShownMessage["content"]): ReadonlyArray<Tap> => {
  const action = content && memberOf(memberOf(content, "interactive"), "action")
  const buttons = listAt(action, "buttons").flatMap((button) => tapOf("button_reply", memberOf(button, "reply")))
  const rows = listAt(action, "sections").flatMap((section) => listAt(section, "rows"))
  return [...buttons, ...rows.flatMap((row) => tapOf("list_reply", row))]
}

const listAt = (value: unknown, name: string): ReadonlyArray<unknown> => {
  const list = memberOf(value, name)
  return Array.isArray(list) ? list : []
}

const tapOf = (reply: Tap["reply"], choice: unknown): ReadonlyArray<Tap> => {
  const [id, title] = [textAt(choice, "id"), textAt(choice, "title")]
  return id === undefined || title === undefined ? [] : [{ reply, id, title }]
}

const marks: Readonly<Record<MessageStatus, string>> = {
  queued: "◷",
  sending: "◷",
  sent: "✓",
  delivered: "✓✓",
  read: "✓✓",
  failed: "!",
  cancelled: "×",
  received: ""
}

/** Returns the ticks of a message as its sender sees them, with the word that they stand for. */
export const ticks = (status: MessageStatus): Html =>
  html`<span class="mark ${status}"><span aria-hidden="true">${marks[status]}</span> <span class="word">${statusWord("message", status)}</span></span>`
