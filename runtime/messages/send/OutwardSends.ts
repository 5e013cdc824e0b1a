import type { OutwardWork } from "../../restore/OutwardWork.ts"

/**
 * Production messages that have not left. One that is failed counts as an attempt without a result: it is never sent, and
 * ends `provider_send_result_missing` unless a report of the provider shows that it arrived. M-DLV-21, M-DLV-23
 */
export const outwardSends: OutwardWork = {
  kind: "sends",
  table: "messages",
  scope: "environment_id",
  waits: "t.direction = 'outbound' and t.status = 'queued' and t.provider is distinct from 'sandbox'",
  waitsWithoutDue: true,
  fail: "status = 'sending', status_reason = null, sending_since = $2, due_at = $2"
}
