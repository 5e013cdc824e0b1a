import { parseId } from "@carteiro/owners/Ids.ts"
import { BatchNotFound } from "@carteiro/schema/batches/BatchErrors.ts"
import { Effect, Layer } from "effect"
import { BatchCommands } from "./BatchCommands.ts"
import { BatchEntity } from "./BatchEntity.ts"

export const batchCommandsLayer = Layer.effect(
  BatchCommands,
  Effect.map(BatchEntity.client, (owners) => {
    const calls = { pause: owners.Pause, resume: owners.Resume, cancel: owners.Cancel }
    return BatchCommands.of({
      // Any other shape names no batch, and must not wake an owner.
      run: (command, id, item) => (parseId("bat", id) ? calls[command](id, item) : Effect.fail(new BatchNotFound())),
      wake: (id) => owners.wake(id)
    })
  })
)
