import { Effect, Layer } from "effect"
import { SendingRepo } from "./facts/SendingRepo.ts"
import { PhoneNumberEntity, phoneNumberOwners } from "./number/PhoneNumberEntity.ts"
import { MessageRepo } from "./read/MessageRepo.ts"
import { MessagesHttp } from "./read/MessagesHttp.ts"

export { PhoneNumberEntity } from "./number/PhoneNumberEntity.ts"
export { suspendedContent } from "./receive/SuspendedContentRepo.ts"
export { sandboxMessageId } from "./sandbox/SandboxChat.ts"
export { SandboxUnitMs, scenarios } from "./sandbox/SandboxScenario.ts"
export { simulatedContent, simulatedCustomer, simulatedPayload } from "./sandbox/SimulatedInbound.ts"
export { gauges } from "./send/SendGaugesRepo.ts"

/** Routes of the room. */
export const layer = MessagesHttp.pipe(Layer.provide(MessageRepo.layer))

/** Owners of numbers, for nodes that hold shards. */
export const ownersLayer = phoneNumberOwners.pipe(Layer.provide(SendingRepo.layer))

/** Numbers whose owners have something to do, for the sweeper. Architecture, section 2 "Volatile messages, durable rows" */
export const due = {
  type: PhoneNumberEntity.name,
  due: (now: number, limit: number) =>
    Effect.provide(
      Effect.flatMap(SendingRepo, (repo) => repo.dueNumbers(now, limit)),
      SendingRepo.layer
    )
} as const
