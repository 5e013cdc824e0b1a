import type { ChatMediaKind } from "@carteiro/provider/ChatContent.ts"
import type { CustomerIdentity, SharedThing } from "@carteiro/provider/ChatNotices.ts"
import type { CorrectedContent, SystemNotice } from "@carteiro/schema/messages/MessageChanges.ts"
import { memberOf } from "../UpstreamAnswers.ts"
import { identityOf } from "./UpstreamIdentity.ts"
import { idOf, shortText, textOf } from "./UpstreamValues.ts"

/** The kinds of files that have a caption to correct. */
const captioned: ReadonlySet<string> = new Set<ChatMediaKind>(["image", "video", "document"])

/**
 * Returns a correction or withdrawal of an earlier message, or what the platform says of the customer; undefined for any
 * other type, and for one that names no message. The number's owner finds the message. U-INB-03
 */
export const aboutThing = (type: string, inner: unknown, message: unknown): SharedThing | undefined => {
  const provider_message_id = idOf(memberOf(inner, "original_message_id"))
  switch (type) {
    case "edit":
      return provider_message_id === null
        ? undefined
        : { edit: { message_id: null, provider_message_id, content: correctedContent(memberOf(inner, "message")) } }
    case "revoke":
      return provider_message_id === null ? undefined : { revoke: { message_id: null, provider_message_id } }
    case "system":
      return systemNotice(inner, message)
    default:
      return undefined
  }
}

const correctedContent = (message: unknown): CorrectedContent | null => {
  const type = textOf(memberOf(message, "type")) ?? ""
  const inner = memberOf(message, type)
  const body = shortText(memberOf(inner, "body"))
  if (type === "text") return body === undefined ? null : { type: "text", text: { body } }
  if (!captioned.has(type)) return null
  const caption = shortText(memberOf(inner, "caption")) ?? null
  return { type: "media", media: { kind: type as ChatMediaKind, caption } }
}

/** Our words for the changes that are followed. */
const changes: Readonly<Record<string, string>> = { user_changed_number: "phone", user_changed_user_id: "user_id" }

const systemNotice = (inner: unknown, message: unknown): { readonly system: SystemNotice } | undefined => {
  const word = textOf(memberOf(inner, "type"))
  if (word === null) return undefined
  const identity = identityOf(message)
  const [previous, current] =
    identity === undefined ? [null, null] : [named(identity.previous), named(identity.current)]
  return { system: { change: changes[word] ?? word.slice(0, 64).toWellFormed(), previous, current } }
}

const named = ({ phone, user_id }: CustomerIdentity) => ({ phone: phone === null ? null : `+${phone}`, user_id })
