import type { Ids } from "@carteiro/owners/Ids.ts"
import type { EchoNotice, InboundNotice, NoticedContent } from "@carteiro/provider/ChatNotices.ts"
import { captionedKinds, type InboundContent } from "@carteiro/schema/messages/InboundContent.ts"
import { jsonText } from "@carteiro/tables/StoredJson.ts"
import { Result } from "effect"
import type { NumberFacts } from "../facts/SendingFacts.ts"
import { type Customer, readPhone } from "../message/Recipient.ts"
import type { InboundItem } from "../receive/InboundItem.ts"
import { directionOf, type NoticedMessage, nameOf } from "./NoticedMessage.ts"

/**
 * Returns a sender whose phone is hidden: the platform's id is their key. A sender without an id cannot be addressed, and
 * has no contact, window or conversation. U-HID-01, gaps-2 E "Phone-withheld sender"
 */
const hiddenCustomer = (user_id: string | null): Pick<Customer, "id" | "key"> => ({ id: "", key: user_id ?? "" })

/** One message of a customer or of staff, and when its call was received, in epoch milliseconds. */
interface ToldMessage {
  readonly notice: InboundNotice | EchoNotice
  readonly received_at: number
}

/** The messages of a pass as the number's owner captures them, by who wrote them. */
interface WrittenItems {
  /** Of customers. */
  readonly heard: ReadonlyArray<InboundItem>
  /** Of staff, in the phone app. */
  readonly echoed: ReadonlyArray<InboundItem>
}

/**
 * Returns messages of customers and of staff in the form in which the number's owner captures them; those captured before,
 * by number and the provider's id, are omitted. `found` are the messages that the notices name. gaps-2 E "Inbound type
 * map", M-INB-01..17, U-INB-07
 */
export const inboundItems = (
  reported: ReadonlyArray<ToldMessage>,
  knownMessages: ReadonlyArray<NoticedMessage>,
  number: NumberFacts,
  now: number,
  ids: Pick<Ids["Service"], "mint" | "traceId">
): WrittenItems => {
  const taken = new Set(knownMessages.map((one) => nameOf(one.direction, one.provider_message_id)))
  const heard: Array<InboundItem> = []
  const echoed: Array<InboundItem> = []
  for (const one of reported) {
    const { kind, provider_message_id } = one.notice
    const name = nameOf(directionOf(one.notice), provider_message_id)
    if (taken.has(name)) continue
    taken.add(name)
    const items = kind === "echo" ? echoed : heard
    items.push(inboundItem(one, number, now, ids))
  }
  return { heard, echoed }
}

const inboundItem = (
  { notice, received_at }: ToldMessage,
  { environment, environment_id }: NumberFacts,
  now: number,
  ids: Pick<Ids["Service"], "mint" | "traceId">
): InboundItem => {
  const phone = notice.from === null ? undefined : readPhone(notice.from, "from")
  const customer = phone !== undefined && Result.isSuccess(phone) ? phone.success : hiddenCustomer(notice.user_id)
  const content = contentOf(notice.content, () => ids.mint("mda", now))
  return {
    id: ids.mint("msg", now),
    environment_id,
    environment,
    channel: "chatapp",
    type: content.type,
    customer_id: customer.id,
    customer_key: customer.key,
    // What the platform says of a change of ids is no message of the id that it still names.
    user_id: isOfPlatform(notice.content) ? undefined : (notice.user_id ?? undefined),
    username: notice.username ?? undefined,
    content: jsonText(content),
    context: notice.context ?? undefined,
    metadata: null,
    trace_id: ids.traceId(),
    created_at: now,
    // Neither a clock that is ahead nor a late handling of the call extends the window.
    heard_at: Math.min(notice.at ?? received_at, received_at),
    claim: undefined,
    contact_id: ids.mint("con", now),
    profile_name: notice.profile_name,
    provider_group_id: notice.group_id ?? undefined,
    provider: "upstream",
    provider_message_id: notice.provider_message_id,
    payload: jsonText(notice.raw)
  }
}

const isOfPlatform = (content: NoticedContent): boolean =>
  content.type === "unknown" && content.provider_type === "system"

const contentOf = (content: NoticedContent, assetId: () => string): InboundContent => {
  switch (content.type) {
    case "text":
      return { type: "text", text: { body: content.body } }
    case "media": {
      const { caption, filename, kind, mime_type, provider_media_id, voice } = content
      return {
        type: "media",
        media: {
          asset_id: assetId(),
          provider_media_id,
          kind,
          ...(voice === undefined ? undefined : { voice }),
          mime_type,
          byte_length: null,
          filename,
          ...(captionedKinds.has(kind) && { caption }),
          status: "pending",
          failure: null,
          download: null
        }
      }
    }
    case "interactive": {
      const { description, id, title } = content
      return {
        type: "interactive",
        interactive:
          content.reply === "button_reply"
            ? { type: "button_reply", button_reply: { id, title } }
            : { type: "list_reply", list_reply: { id, title, description } }
      }
    }
    case "flow": {
      const { name, provider_token, response } = content
      return { type: "flow", flow: { name, response, provider_token } }
    }
    case "reaction": {
      const { emoji, provider_message_id } = content
      return { type: "reaction", reaction: { message_id: null, provider_message_id, emoji } }
    }
    case "unsupported":
      return { type: "unsupported", unsupported: { provider_type: content.provider_type, reason: content.reason } }
    case "unknown":
      return { type: "unknown", unknown: { provider_type: content.provider_type, ...content.shared } }
  }
}
