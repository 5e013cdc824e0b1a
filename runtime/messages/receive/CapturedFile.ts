import type { InboundContent } from "@carteiro/schema/messages/InboundContent.ts"
import type { MessageReceivedData } from "@carteiro/schema/messages/MessageEvents.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { captureFile } from "../../media/Media.ts"
import { subjectOf } from "../message/Recipient.ts"
import type { InboundItem } from "./InboundItem.ts"

/**
 * Returns the rows of a captured message's file. `event` is what the message's event says besides its content: it is
 * delayed until the bytes are stored or finally missing, and null where no event waits for them. M-INB-19, M-EVT-11
 */
export const fileRows = (
  item: InboundItem,
  media: Extract<InboundContent, { readonly type: "media" }>["media"],
  { business_id, now }: { readonly business_id: string; readonly now: number },
  event: Omit<MessageReceivedData, "content"> | null
): ReadonlyArray<Row> => {
  const { asset_id, byte_length, caption, filename, kind, mime_type, provider_media_id, voice } = media
  const { channel, environment, environment_id, source_asset_id, trace_id } = item
  if (asset_id === null) return []
  return captureFile(
    {
      environment_id,
      environment,
      asset_id,
      message_id: item.id,
      provider: item.provider,
      provider_media_id,
      kind,
      voice: voice ?? null,
      mime_type,
      byte_length,
      filename,
      sender_name: item.profile_name,
      trace_id,
      at: now
    },
    {
      from:
        environment === "production"
          ? { _tag: "Provider", provider_media_id: provider_media_id ?? "" }
          : source_asset_id === undefined
            ? { _tag: "BuiltIn" }
            : { _tag: "Asset", asset_id: source_asset_id },
      channel,
      business_id,
      event,
      caption,
      subject: subjectOf(channel, item.customer_key)
    }
  )
}
