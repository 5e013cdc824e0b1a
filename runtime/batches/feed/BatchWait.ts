import type { BatchWait } from "@carteiro/schema/batches/BatchLookupsApi.ts"
import { formatTimestampOrNull } from "@carteiro/schema/conventions/Timestamp.ts"
import type { BatchRow } from "../batch/BatchRead.ts"
import type { WaitFacts } from "./FeedRepo.ts"

/**
 * Returns what a batch waits for, beside the pace of its number; null where it waits for nothing. The daily allowance comes
 * before guards that are asked again, which takes minutes.
 */
export const batchWait = (
  { scheduled_at, status }: Pick<BatchRow, "scheduled_at" | "status">,
  facts: WaitFacts | undefined
): BatchWait | null => {
  const wait = (reason: BatchWait["reason"], until: number | null, recipient_count: number | null): BatchWait => ({
    reason,
    until: formatTimestampOrNull(until),
    recipient_count
  })
  if (status === "scheduled") return wait("start", scheduled_at, null)
  if (status === "paused") return wait("resume", null, null)
  if (facts === undefined) return null
  if (facts.held > 0) return wait("daily_allowance", facts.pacing_at, facts.held)
  return facts.retrying > 0 ? wait("guards", facts.retry_at, facts.retrying) : null
}
