import type { StoredMedia } from "@carteiro/schema/messages/content/OutboundContent.ts"
import type { MediaDescriptor } from "@carteiro/schema/messages/InboundContent.ts"
import type { MessageStatus } from "@carteiro/schema/messages/Vocabulary.ts"
import { type JsonText, readJsonOrNull } from "@carteiro/tables/StoredJson.ts"
import type { StoredContent, StoredOutbound } from "./StoredContent.ts"

/** The parts of a send that describe its file; `content_json` is null once redacted. */
interface SentFile {
  readonly content_json: JsonText<StoredContent> | null
  readonly status: MessageStatus
  readonly error_code: string | null
  readonly error_message: string | null
}

/**
 * Returns the file of a send in the form of reads for both directions, as far as the message itself knows it: its
 * status is pending until the provider accepts the message. gaps-2 B "Inner read shapes"
 */
export const sentMedia = (row: SentFile): MediaDescriptor | null => {
  const content = readJsonOrNull(row.content_json) as StoredOutbound | null
  return content?.type === "media" ? describeMedia(content.media, row) : null
}

const describeMedia = (media: StoredMedia, row: SentFile): MediaDescriptor => ({
  asset_id: media.asset_id ?? null,
  provider_media_id: media.id ?? null,
  kind: media.kind,
  ...(media.voice === undefined ? {} : { voice: media.voice }),
  mime_type: media.inline?.mime_type ?? null,
  byte_length: media.inline?.byte_length ?? null,
  filename: media.filename ?? media.inline?.filename ?? null,
  ...stateOf(row),
  download: null
})

const stateOf = ({ error_code, error_message, status }: SentFile) => {
  if (status === "failed" && error_code !== null && tellsOfFile.test(error_code)) {
    return { status: "failed" as const, failure: { code: error_code, message: error_message ?? "" } }
  }
  const isTaken = status === "sent" || status === "delivered" || status === "read"
  return { status: isTaken ? ("consumed" as const) : ("pending" as const), failure: null }
}

/**
 * Matches delivery codes about a file's fault; with any other code the file itself may be good. M-DLV-07..13, M-DLV-20
 */
const tellsOfFile = /^(media_|tts_|invalid_media_|upstream_media_)/
