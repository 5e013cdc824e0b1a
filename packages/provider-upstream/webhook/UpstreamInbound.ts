import type { ChatMediaKind } from "@carteiro/provider/ChatContent.ts"
import type { EchoNotice, InboundNotice, NoticedContent } from "@carteiro/provider/ChatNotices.ts"
import { parseWords } from "@carteiro/provider/VendorWords.ts"
import { listOf, memberOf } from "../UpstreamAnswers.ts"
import { aboutThing } from "./UpstreamAbout.ts"
import { contactOf, userIdOf, usernameOf } from "./UpstreamIdentity.ts"
import { productOf, referralOf, sharedThing } from "./UpstreamShared.ts"
import { idOf, instantOf, shortText, textOf } from "./UpstreamValues.ts"

const mediaKinds: ReadonlySet<unknown> = new Set<ChatMediaKind>(["image", "audio", "video", "document", "sticker"])

/** Returns a customer's message from the platform; undefined without an id. gaps-2 E "Inbound type map" */
export const inboundNotice = (message: unknown, contacts: ReadonlyArray<unknown>): InboundNotice | undefined => {
  const id = idOf(memberOf(message, "id"))
  if (id === null) return undefined
  const from = idOf(memberOf(message, "from"))
  const user_id = userIdOf(memberOf(message, "from_user_id"))
  const contact = contactOf({ phone: from, user_id }, contacts)
  return {
    kind: "inbound",
    provider_message_id: id,
    from,
    user_id: user_id ?? userIdOf(memberOf(contact, "user_id")),
    username: usernameOf(contact),
    profile_name:
      textOf(memberOf(memberOf(contact, "profile"), "name"))
        ?.slice(0, 255)
        .toWellFormed() ?? null,
    group_id: idOf(memberOf(message, "group_id")),
    at: instantOf(memberOf(message, "timestamp")),
    content: contentOf(message),
    context: contextOf(memberOf(message, "context"), memberOf(message, "referral")),
    raw: message
  }
}

/** Returns a message that staff sent in the phone app; undefined without an id. U-INB-07 */
export const echoNotice = (message: unknown): EchoNotice | undefined => {
  const notice = inboundNotice(message, [])
  const user_id = userIdOf(memberOf(message, "to_user_id")) ?? userIdOf(memberOf(message, "recipient_user_id"))
  return notice && { ...notice, kind: "echo", from: idOf(memberOf(message, "to")), user_id }
}

const contentOf = (message: unknown): NoticedContent => {
  const type = textOf(memberOf(message, "type")) ?? "unknown"
  const inner = memberOf(message, type)
  return (
    known(type, inner, message) ?? {
      type: "unknown",
      provider_type: type.slice(0, 64),
      shared: aboutThing(type, inner, message) ?? sharedThing(type, inner)
    }
  )
}

/** Undefined for a type that the product does not interpret, and for one with missing parts. */
const known = (type: string, inner: unknown, message: unknown): NoticedContent | undefined => {
  if (mediaKinds.has(type)) return media(type as ChatMediaKind, inner)
  switch (type) {
    case "text": {
      const body = memberOf(inner, "body")
      return typeof body === "string" ? { type: "text", body } : undefined
    }
    case "interactive":
      return interactive(inner)
    // A tap on a template's quick reply: its payload is the id. M-INB-12
    case "button":
      return reply("button_reply", memberOf(inner, "payload") ?? memberOf(inner, "text"), memberOf(inner, "text"), null)
    case "reaction": {
      const provider_message_id = idOf(memberOf(inner, "message_id"))
      const emoji = memberOf(inner, "emoji")
      return provider_message_id === null
        ? undefined
        : { type: "reaction", provider_message_id, emoji: typeof emoji === "string" ? emoji : "" }
    }
    case "unsupported":
      return {
        type: "unsupported",
        provider_type: textOf(memberOf(inner, "type")),
        reason: reasonOf(listOf(memberOf(message, "errors"))[0])
      }
    default:
      return undefined
  }
}

const media = (kind: ChatMediaKind, inner: unknown): NoticedContent | undefined => {
  const provider_media_id = idOf(memberOf(inner, "id"))
  if (provider_media_id === null) return undefined
  const voice = memberOf(inner, "voice")
  return {
    type: "media",
    kind,
    provider_media_id,
    voice: kind === "audio" && typeof voice === "boolean" ? voice : undefined,
    mime_type: textOf(memberOf(inner, "mime_type")),
    filename: textOf(memberOf(inner, "filename")),
    sha256: textOf(memberOf(inner, "sha256")),
    caption: shortText(memberOf(inner, "caption")) ?? null
  }
}

const interactive = (inner: unknown): NoticedContent | undefined => {
  const type = memberOf(inner, "type")
  const found = memberOf(inner, String(type))
  const description = textOf(memberOf(found, "description"))
  if (type === "button_reply" || type === "list_reply") {
    return reply(type, memberOf(found, "id"), memberOf(found, "title"), type === "list_reply" ? description : null)
  }
  return type === "nfm_reply" ? flow(found) : undefined
}

const reply = (
  kind: "button_reply" | "list_reply",
  id: unknown,
  title: unknown,
  description: string | null
): NoticedContent | undefined =>
  typeof id === "string" && typeof title === "string"
    ? { type: "interactive", reply: kind, id, title, description }
    : undefined

/** The token is kept apart from the answers. M-FLOW-13 */
const flow = (found: unknown): NoticedContent | undefined => {
  const text = memberOf(found, "response_json")
  if (typeof text !== "string") return undefined
  const { flow_token, ...response } = recordOf(text)
  return { type: "flow", name: textOf(memberOf(found, "name")), response, provider_token: idOf(flow_token) }
}

const recordOf = (text: string): Readonly<Record<string, unknown>> => {
  try {
    const value = parseWords(text)
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {}
  } catch {
    return {}
  }
}

/** All members are present, or none. M-INB-14 */
const reasonOf = (error: unknown) => {
  const code = memberOf(error, "code")
  const message = textOf(memberOf(memberOf(error, "error_data"), "details")) ?? textOf(memberOf(error, "message"))
  return typeof code === "number" && Number.isInteger(code) && message !== null ? { code, message } : null
}

const contextOf = (context: unknown, source: unknown): InboundNotice["context"] => {
  const referral = referralOf(source)
  if ((typeof context !== "object" || context === null) && referral === undefined) return null
  const referred_product = productOf(memberOf(context, "referred_product"))
  return {
    quoted_id: idOf(memberOf(context, "id")),
    forwarded: memberOf(context, "forwarded") === true,
    frequently_forwarded: memberOf(context, "frequently_forwarded") === true,
    ...(referral && { referral }),
    ...(referred_product && { referred_product })
  }
}
