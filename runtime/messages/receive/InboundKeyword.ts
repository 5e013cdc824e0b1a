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

/**
 * Returns the consent change that a whole inbound text makes, compared trimmed and without case or accents. gaps-2 C
 */
export const consentChange = (body: string): ConsentChange | undefined => {
  const trimmed = body.trim()
  if (trimmed.length > longest) return undefined
  return words.get(trimmed.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase())
}

/** Returns the change of consent that a captured message asks for: only a text can. gaps-2 C "Opt-out by message" */
export const consentAsked = (message: {
  readonly type: string
  readonly content: JsonText<InboundContent> | null
}): ConsentChange | undefined => {
  if (message.type !== "text" || message.content === null) return undefined
  const content = readJson(message.content)
  return content.type === "text" ? consentChange(content.text.body) : undefined
}

/**
 * True when a customer's message is held back while the service of its number is suspended: its content then reaches
 * neither webhooks nor listeners. Reactions and opt-outs are not held back. A-SIG-20, A-SIG-22, A-LSN-21
 */
export const heldBack = (message: {
  readonly type: string
  readonly content: JsonText<InboundContent> | null
}): boolean => message.type !== "reaction" && consentAsked(message) !== "opt_out"
