import type { BatchCommand, BatchStatus } from "@carteiro/schema/batches/Batch.ts"

/** The members of a batch that a command is judged by. Instants are epoch milliseconds. */
export interface CommandedBatch {
  readonly status: BatchStatus
  readonly scheduled_at: number | null
  /** Whether any of its recipients was fed. */
  readonly isStarted: boolean
  /** Whether it was resumed once. */
  readonly resumed: boolean
}

/** The status a command leads to; the present one when it changes nothing; undefined when it cannot be. */
export const commandBatch = (batch: CommandedBatch, command: BatchCommand, now: number): BatchStatus | undefined => {
  const { status } = batch
  switch (command) {
    case "pause":
      return status === "paused" || isOpen(status) ? "paused" : undefined
    case "cancel":
      return status === "cancelled" || status === "paused" || isOpen(status) ? "cancelled" : undefined
    case "resume":
      if (status === "paused") return resumedTo(batch, now)
      // Where a resume led is where a repeated one finds it.
      return status === "processing" || (batch.resumed && isOpen(status)) ? status : undefined
  }
}

/** Returns the commands that change a batch of that status. */
export const offeredCommands = (status: BatchStatus): ReadonlyArray<BatchCommand> =>
  status === "paused" ? ["resume", "cancel"] : isOpen(status) ? ["pause", "cancel"] : []

/** It waits to start, or is under way. */
const isOpen = (status: BatchStatus): boolean =>
  status === "scheduled" || status === "queued" || status === "processing"

const resumedTo = ({ isStarted, scheduled_at }: CommandedBatch, now: number): BatchStatus => {
  if (isStarted) return "processing"
  return scheduled_at !== null && scheduled_at > now ? "scheduled" : "queued"
}

/** How far a batch has come, as far as its end depends on it. */
export interface BatchEnding {
  readonly recipient_count: number
  readonly position: number
  readonly retrying: number
  readonly refused_count: number
  /** Messages that have left queued and sending. */
  readonly gone: number
}

/** Whether every recipient's message has left queued and sending, or never will be one. gaps-2 H "Batch states" */
export const isComplete = (batch: BatchEnding): boolean =>
  batch.position >= batch.recipient_count &&
  batch.retrying === 0 &&
  batch.gone + batch.refused_count >= batch.recipient_count
