import type { BatchWait } from "@carteiro/schema/batches/BatchLookupsApi.ts"
import { formatTimestampOrNull } from "@carteiro/schema/conventions/Timestamp.ts"
import type { BatchRow } from "../batch/BatchRead.ts"

/** The facts about what a batch waits for. Instants are epoch milliseconds. */
export interface WaitFacts {
  /** Messages that wait for the daily allowance of their number, as far as they were counted. */
  readonly held: number
  /** When one of them may leave: as its number, or the scenario of a sandbox, looks at it next; null where neither tells. */
  readonly pacing_at: number | null
  /** Recipients to be tried again, and when the first of them is. */
  readonly retrying: number
  readonly retry_at: number | null
}

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
