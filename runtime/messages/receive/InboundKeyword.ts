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

// The longest word has 12 letters; accents and padding may triple it, a message beyond this is no keyword.
const longest = 64

/** The consent change a whole inbound text asks for, compared trimmed and without case or accents. gaps-2 C */
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
 * Whether a customer's message is held back while the service of its number is suspended: its content goes neither to
 * webhooks nor to listen. Reactions and opt-outs keep their path. A-SIG-20, A-SIG-22, A-LSN-21
 */
export const heldBack = (message: {
  readonly type: string
  readonly content: JsonText<InboundContent> | null
}): boolean => message.type !== "reaction" && consentAsked(message) !== "opt_out"
