import type { Batch, BatchStatus } from "@carteiro/schema/batches/Batch.ts"
import { parseTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { type Html, html } from "../kit/Html.ts"
import { contractWord } from "../kit/Language.ts"
import { badge, type Tone } from "../kit/Parts.ts"

const tones: Readonly<Record<BatchStatus, Tone>> = {
  scheduled: "plain",
  queued: "info",
  processing: "info",
  paused: "warn",
  completed: "good",
  cancelled: "warn",
  failed: "bad"
}

/** Where a batch stands. */
export const batchBadge = (status: BatchStatus): Html => badge(contractWord(status), tones[status])

/** How long after its last change a completed batch is still looked at, in milliseconds: customers read what came. */
const settlesMs = 60_000

/** Whether it goes on by itself, or what it sent is likely to be delivered and read just now. */
export const isMoving = ({ status, updated_at }: Batch, now: number): boolean =>
  status === "scheduled" ||
  status === "queued" ||
  status === "processing" ||
  (status === "completed" && now - (parseTimestamp(updated_at) ?? 0) < settlesMs)

/** Recipients a message was made for; all of them once nothing is left to do. */
const reached = ({ enqueued_count, recipient_count, status }: Batch): number =>
  status === "completed" ? recipient_count : Math.min(recipient_count, enqueued_count)

/** How far it has come, as a bar and in words. */
export const progressOf = (batch: Batch): Html => {
  const words = `${reached(batch)} of ${batch.recipient_count}`
  return html`<progress max="${Math.max(1, batch.recipient_count)}" value="${reached(batch)}" aria-label="Progress of ${batch.name ?? batch.id}">${words}</progress>
<span class="muted">${words}</span>`
}
