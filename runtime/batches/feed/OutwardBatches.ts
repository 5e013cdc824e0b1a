import type { OutwardWork } from "../../restore/OutwardWork.ts"

/** Production batches that are being fed, or will be. One that is failed is cancelled, with its messages that are queued. */
export const outwardBatches: OutwardWork = {
  kind: "batches",
  table: "batches",
  scope: "environment_id",
  waits: "t.environment = 'production' and t.status in ('scheduled', 'queued', 'processing')",
  fail: "status = 'cancelled', due_at = $2"
}
