import type { InboundContent } from "@carteiro/schema/messages/InboundContent.ts"
import { type JsonText, readJson } from "@carteiro/tables/StoredJson.ts"
/** A keyword's change of the sender's consent. gaps-2 C "Opt-out by message" */
export type ConsentChange = "opt_out" | "opt_in"

const words: ReadonlyMap<string, ConsentChange> = new Map([
  ["stop", "opt_out"],
  ["unsubscribe", "opt_out"],
  ["parar", "opt_out"],
  ["descadastrar", "opt_out"],
  ["start", "opt_in"],
  ["voltar", "opt_in"]
])

// The longest keyword has 12 letters; accents and padding may triple it, so a longer message is no keyword.
const longest = 64

/** Blanks and punctuation that people write around a word. */
const around = /^[\s\p{P}\p{S}]+|[\s\p{P}\p{S}]+$/gu

/**
 * Returns the consent change that a whole inbound text makes, compared without case, accents, and the punctuation around
 * it. U-INB-09, gaps-2 C "Opt-out by message"
 */
export const consentChange = (body: string): ConsentChange | undefined => {
  const trimmed = body.trim()
  if (trimmed.length > longest) return undefined
  return words.get(trimmed.normalize("NFD").replace(/\p{M}/gu, "").replace(around, "").toLowerCase())
}

/**
 * Returns the change of consent that a captured message asks for: a text, or the id or title of a tapped button.
 * U-INB-09, gaps-2 C "Opt-out by message"
 */
export const consentAsked = (message: {
  readonly type: string
  readonly content: JsonText<InboundContent> | null
  readonly provider_group_id?: string | null | undefined
}): ConsentChange | undefined => {
  // In a group nobody speaks of private messages. U-INB-06
  if (message.provider_group_id != null) return undefined
  if ((message.type !== "text" && message.type !== "interactive") || message.content === null) return undefined
  const content = readJson(message.content)
  if (content.type === "text") return consentChange(content.text.body)
  if (content.type !== "interactive" || content.interactive.type !== "button_reply") return undefined
  const { id, title } = content.interactive.button_reply
  return consentChange(title) ?? consentChange(id)
}

/**
 * True when a customer's message is held back while the service of its number is suspended: its content then reaches
 * neither webhooks nor listeners. Reactions and opt-outs are not held back. A-SIG-20, A-SIG-22, A-LSN-21
 */
export const heldBack = (message: {
  readonly type: string
  readonly content: JsonText<InboundContent> | null
  readonly provider_group_id?: string | null | undefined
}): boolean => message.type !== "reaction" && consentAsked(message) !== "opt_out"
