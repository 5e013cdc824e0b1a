import type { StatusNotice } from "@carteiro/provider/ChatNotices.ts"
import { readJsonOrNull } from "@carteiro/tables/StoredJson.ts"
import type { DueMessage } from "../facts/SendingFacts.ts"
import type { Trigger } from "../message/MessageState.ts"
import { deliveryCodeOf } from "../send/Dispatch.ts"

/** Returns the trigger of a reported status. gaps-2 B "Message state machine" */
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
 * True when a status was reported before: each is recorded once by message and status, however often the platform
 * repeats it. The response to a send already records `sent`, so the first report of it adds one more entry. gaps-2 E
 * "Inbound upstream webhook"
 */
export const isRepeated = (events: DueMessage["events"], status: StatusNotice["status"]): boolean => {
  const entries = (readJsonOrNull(events) ?? []).filter(({ type }) => type === `message.${status}`)
  return entries.length >= (status === "sent" ? 2 : 1)
}
