import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import type { SignaturePreview } from "@carteiro/schema/webhooks/WebhookEvent.ts"
import type { ListenRow, ListenSlice } from "./ListenPage.ts"

/** Signs the stored text of one event, when the reader named an endpoint. A-LSN-12 */
export type Preview = (event: Pick<ListenRow, "id" | "envelope">) => SignaturePreview

/** Returns one item as JSON text; it contains the envelope exactly as stored, without parsing. A-LSN-15, gaps-1 L */
export const listenEventText = (event: Omit<ListenRow, "position">, preview: Preview | undefined): string => {
  const head = JSON.stringify({
    id: event.id,
    object: "webhook_listen_event",
    type: event.type,
    created_at: formatTimestamp(event.created_at),
    trace_id: event.trace_id
  })
  const signed = preview === undefined ? "" : `,"signature_preview":${JSON.stringify(preview(event))}`
  return `${head.slice(0, -1)},"payload":${event.envelope}${signed}}`
}

/** Returns the page of one read as JSON text. A-LSN-02 */
export const listenPageText = (
  items: ReadonlyArray<string>,
  { has_more, next_poll_after_ms }: Pick<ListenSlice<ListenRow>, "has_more" | "next_poll_after_ms">,
  next_cursor: string,
  trace_id: string
): string => {
  const tail = JSON.stringify({ has_more, next_cursor, next_poll_after_ms, trace_id })
  return `{"object":"webhook_event_listen","data":[${items.join()}],${tail.slice(1)}`
}
