import { Effect, Layer } from "effect"
import { MessageRepo } from "./MessageRepo.ts"
import { MessagesHttp } from "./MessagesHttp.ts"
import { PhoneNumberEntity } from "./PhoneNumberEntity.ts"
import { PhoneNumberEntityLayer } from "./PhoneNumberEntityLayer.ts"
import { SendingRepo } from "./SendingRepo.ts"

export { PhoneNumberEntity } from "./PhoneNumberEntity.ts"
export { sandboxMessageId } from "./SandboxChat.ts"
export { scenarios } from "./SandboxScenario.ts"
export { SandboxUnitMs } from "./SandboxTiming.ts"
export { simulatedContent, simulatedCustomer, simulatedPayload } from "./SimulatedInbound.ts"
export { suspendedContent } from "./SuspendedContentRepo.ts"

/** Routes of the room. */
export const layer = MessagesHttp.pipe(Layer.provide(MessageRepo.layer))

/** Owners of numbers, for nodes that hold shards. */
export const ownersLayer = PhoneNumberEntityLayer.pipe(Layer.provide(SendingRepo.layer))

/** Numbers whose owners have something to do, for the sweeper. Architecture, section 2 "Volatile messages, durable rows" */
export const due = {
  type: PhoneNumberEntity.name,
  due: (now: number, limit: number) =>
    Effect.provide(
      Effect.flatMap(SendingRepo, (repo) => repo.dueNumbers(now, limit)),
      SendingRepo.layer
    )
} as const
