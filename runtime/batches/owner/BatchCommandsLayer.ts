import { parseId } from "@carteiro/owners/Ids.ts"
import { BatchNotFound } from "@carteiro/schema/batches/BatchErrors.ts"
import { Effect, Layer } from "effect"
import { readPhone, readScenario } from "../../messages/Messages.ts"
import { BatchAcceptance } from "../accept/BatchAcceptance.ts"
import { BatchPlans } from "../accept/BatchPlans.ts"
import { checkBatchForCaller, checkRecipients } from "../accept/BatchValidation.ts"
import { BatchRepo } from "../batch/BatchRepo.ts"
import { BatchCommands } from "./BatchCommands.ts"
import { BatchEntity } from "./BatchEntity.ts"

export const batchCommandsLayer = Layer.effect(
  BatchCommands,
  Effect.gen(function* () {
    const owners = yield* BatchEntity.client
    const acceptance = yield* BatchAcceptance
    const batches = yield* BatchRepo
    const { plan } = yield* BatchPlans
    const calls = { pause: owners.Pause, resume: owners.Resume, cancel: owners.Cancel }
    return BatchCommands.of({
      plan,
      create: Effect.fnUntraced(function* (call, body, id) {
        if ((yield* batches.find(call.caller.environment_id, id)) !== undefined) return
        const refusal = checkBatchForCaller(readScenario)(body, call.caller, call.now)
        if (refusal !== undefined) return yield* refusal
        const customers = checkRecipients(readPhone)(body)
        yield* acceptance.accept(call, body, customers && (yield* Effect.fromResult(customers)), id)
        owners.wake(id)
      }),
      // Any other shape names no batch, and must not wake an owner.
      run: (command, id, item) => (parseId("bat", id) ? calls[command](id, item) : Effect.fail(new BatchNotFound())),
      wake: (id) => owners.wake(id)
    })
  })
)
