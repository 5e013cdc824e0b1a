import type { StatusNotice } from "@carteiro/provider/ChatNotices.ts"
import { readJsonOrNull } from "@carteiro/tables/StoredJson.ts"
import type { DueMessage } from "../facts/SendingFacts.ts"
import type { Trigger } from "../message/MessageState.ts"
import { deliveryCodeOf } from "../send/Dispatch.ts"

/** The fact that a reported status is to its message. gaps-2 B "Message state machine" */
export const reportOf = (notice: StatusNotice): Trigger => ({
  _tag: "Report",
  status: notice.status,
  provider_message_id: notice.provider_message_id,
  failure:
    notice.status === "failed"
      ? { code: deliveryCodeOf(notice.code ?? ""), provider_error: notice.error ?? undefined }
      : undefined
})

/**
 * Whether a status was reported before: each is recorded once by message and status, however often the platform says it.
 * The answer to a send says `sent` already, so that the first report of it is one more entry. gaps-2 E "Inbound upstream
 * webhook"
 */
export const isRepeated = (events: DueMessage["events"], status: StatusNotice["status"]): boolean => {
  const entries = (readJsonOrNull(events) ?? []).filter(({ type }) => type === `message.${status}`)
  return entries.length >= (status === "sent" ? 2 : 1)
}
