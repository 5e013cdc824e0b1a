import type { BatchCommand } from "@carteiro/schema/batches/Batch.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Context, type Effect } from "effect"
import type { CommandItem } from "./BatchEntity.ts"

/** Commands of callers for batches. gaps-2 H "Pause, resume, cancel" */
export class BatchCommands extends Context.Service<
  BatchCommands,
  {
    /** Answers the text of the batch. */
    run(command: BatchCommand, id: string, item: CommandItem): Effect.Effect<string, ApiError>
    /** Has the owner of a new batch look at it. */
    wake(id: string): void
  }
>()("@carteiro/runtime/batches/owner/BatchCommands") {}
