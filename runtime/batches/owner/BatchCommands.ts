import { parseId } from "@carteiro/owners/Ids.ts"
import { BatchNotFound } from "@carteiro/schema/batches/BatchErrors.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Context, Effect, Layer } from "effect"
import type { BatchCommand } from "../batch/BatchState.ts"
import { BatchEntity, type CommandItem } from "./BatchEntity.ts"

/** What callers and people ask of a batch under way. gaps-2 H "Pause, resume, cancel" */
export class BatchCommands extends Context.Service<
  BatchCommands,
  {
    /** Answers the text of the batch. */
    run(command: BatchCommand, id: string, item: CommandItem): Effect.Effect<string, ApiError>
    /** Has the owner of a new batch look at it. */
    wake(id: string): void
  }
>()("@carteiro/runtime/batches/owner/BatchCommands") {
  static readonly layer = Layer.effect(
    this,
    Effect.map(BatchEntity.client, (owners) => {
      const calls = { pause: owners.Pause, resume: owners.Resume, cancel: owners.Cancel }
      return BatchCommands.of({
        // Any other shape names no batch, and must not wake an owner.
        run: (command, id, item) => (parseId("bat", id) ? calls[command](id, item) : Effect.fail(new BatchNotFound())),
        wake: (id) => owners.wake(id)
      })
    })
  )
}
