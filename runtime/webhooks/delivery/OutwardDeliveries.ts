import type { OutwardWork } from "../../restore/OutwardWork.ts"

/** Deliveries of webhooks that wait for an attempt. One that is failed is not retried; a resend makes another. */
export const outwardDeliveries: OutwardWork = {
  kind: "deliveries",
  table: "webhook_attempts",
  scope: "environment_id",
  waits: "t.status = 'pending'",
  fail: "status = 'failed', error_message = 'Ended by an operator after a restore.', due_at = $2, completed_at = $2"
}
