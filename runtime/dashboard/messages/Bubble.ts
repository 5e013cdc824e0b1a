import type { MessageStatus } from "@carteiro/schema/messages/Vocabulary.ts"
import type { ShownMessage } from "../../messages/Messages.ts"
import { type Html, html, type Piece } from "../kit/Html.ts"
import { contractWord } from "../kit/Language.ts"
import { none } from "../kit/Parts.ts"
import { memberOf, textAt } from "./MessageParts.ts"

/** A button that a customer can tap. */
export interface Tap {
  readonly id: string
  readonly title: string
}

/** Returns the content as the customer sees it. */
export const contentPiece = (content: ShownMessage["content"]): Piece => {
  if (content === null) return none("erased")
  const inner = memberOf(content, content.type)
  switch (content.type) {
    case "text":
      return textAt(inner, "body")
    case "media":
      return [
        html`<span class="attachment">${contractWord(textAt(inner, "kind") ?? "file")}${named(textAt(inner, "filename"))}</span>`,
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
    default:
      return html`<span class="attachment">${contractWord(content.type)}${named(textAt(inner, "provider_type"))}</span>`
  }
}

const named = (name: string | undefined): Piece => name && `: ${name}`

const interactivePiece = (inner: unknown): Piece => {
  const reply = textAt(memberOf(inner, "button_reply"), "title") ?? textAt(memberOf(inner, "list_reply"), "title")
  if (reply !== undefined) return reply
  const header = textAt(memberOf(inner, "header"), "text")
  const footer = textAt(memberOf(inner, "footer"), "text")
  return [
    header && html`<strong>${header}</strong>\n`,
    textAt(memberOf(inner, "body"), "text"),
    footer && html`\n${none(html`${footer}`)}`
  ]
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

/** Returns the values of a template, which its text takes in. */
const valuesOf = (inner: unknown): Piece => {
  const variables = memberOf(inner, "variables")
  return variables === undefined ? undefined : html`<code>${JSON.stringify(variables)}</code>`
}

/** Returns the buttons of a message to a customer; none for any other. */
export const tapsOf = (content: ShownMessage["content"]): ReadonlyArray<Tap> => {
  const buttons = content && memberOf(memberOf(memberOf(content, "interactive"), "action"), "buttons")
  if (!Array.isArray(buttons)) return []
  return buttons.flatMap((button: unknown) => {
    const id = textAt(memberOf(button, "reply"), "id")
    const title = textAt(memberOf(button, "reply"), "title")
    return id === undefined || title === undefined ? [] : [{ id, title }]
  })
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
  html`<span class="mark ${status}"><span aria-hidden="true">${marks[status]}</span> ${contractWord(status)}</span>`
