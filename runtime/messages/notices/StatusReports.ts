import type { StatusNotice } from "@carteiro/provider/ChatNotices.ts"
import { readJsonOrNull } from "@carteiro/tables/StoredJson.ts"
import type { DueMessage } from "../facts/SendingFacts.ts"
import type { Trigger } from "../message/MessageState.ts"
import { deliveryCodeOf } from "../send/Dispatch.ts"

/** Returns the trigger of a reported status. gaps-2 B "Message state machine" */
export const reportOf = (notice: StatusNotice): Trigger => {
  const { code, error, pricing, provider_message_id, status } = notice
  if (status === "played" || status === "deleted" || status === "warning") {
    return { _tag: "Note", step: status, code: error?.code ?? null }
  }
  return {
    _tag: "Report",
    status,
    provider_message_id,
    failure: status === "failed" ? { code: deliveryCodeOf(code ?? ""), provider_error: error ?? undefined } : undefined,
    pricing: pricing ?? undefined
  }
}

/**
 * True when a status was reported before: each is recorded once by message and status, however often the platform
 * repeats it. The response to a send already records `sent`, so the first report of it adds one more entry. gaps-2 E
 * "Inbound upstream webhook"
 */
export const isRepeated = (events: DueMessage["events"], status: StatusNotice["status"]): boolean => {
  const entries = (readJsonOrNull(events) ?? []).filter(({ type }) => type === `message.${status}`)
  return entries.length >= (status === "sent" ? 2 : 1)
}
