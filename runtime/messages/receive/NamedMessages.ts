import type { InboundContent } from "@carteiro/schema/messages/InboundContent.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { markMessage } from "../message/MessageWrites.ts"

/** Returns the provider's id of the message that a reaction, correction or withdrawal is about; undefined for other content. */
export const namedMessage = (content: InboundContent): string | undefined => {
  if (content.type === "reaction") return content.reaction.provider_message_id
  if (content.type !== "unknown") return undefined
  return (content.unknown.edit ?? content.unknown.revoke)?.provider_message_id
}

/**
 * Returns the content with our id of the message that it is about, which `messageOf` returns for the provider's. U-INB-03,
 * gaps-2 E "Inbound type map"
 */
export const withNamedMessage = (
  content: InboundContent,
  messageOf: (provider_message_id: string) => string | null
): InboundContent => {
  const named = namedMessage(content)
  if (named === undefined) return content
  const message_id = messageOf(named)
  if (content.type === "reaction") return { ...content, reaction: { ...content.reaction, message_id } }
  if (content.type !== "unknown") return content
  const { edit, revoke } = content.unknown
  return {
    ...content,
    unknown: {
      ...content.unknown,
      ...(edit && { edit: { ...edit, message_id } }),
      ...(revoke && { revoke: { ...revoke, message_id } })
    }
  }
}

/**
 * Returns the row that marks the message that its author corrected or withdrew; none for other content and for a message
 * that is not known. Instants are epoch milliseconds. U-INB-03
 */
export const markRows = (
  content: InboundContent,
  direction: "inbound" | "outbound",
  environment_id: string,
  at: number
): ReadonlyArray<Row> => {
  if (content.type !== "unknown") return []
  const { edit, revoke } = content.unknown
  const id = (edit ?? revoke)?.message_id ?? null
  if (id === null) return []
  return [markRow({ environment_id, id, direction }, edit === undefined ? "revoke" : "edit", at)]
}

/** Returns the row that marks a message as corrected or withdrawn at an instant (epoch milliseconds). U-INB-03 */
export const markRow = (
  message: { readonly environment_id: string; readonly id: string; readonly direction: "inbound" | "outbound" },
  by: "edit" | "revoke",
  at: number
): Row =>
  markMessage.row({
    ...message,
    updated_at: at,
    edited_at: by === "edit" ? at : null,
    revoked_at: by === "revoke" ? at : null
  })
