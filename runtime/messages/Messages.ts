import { Effect, Layer } from "effect"
import type { DueOwners } from "../platform/owner/schedule/Sweeper.ts"
import { defineRoom } from "../platform/room/Room.ts"
import { SuspendedContent } from "../webhooks/Webhooks.ts"
import { SendingRepo } from "./facts/SendingRepo.ts"
import { MessagesHttp } from "./number/MessagesHttp.ts"
import { PhoneNumberEntity, phoneNumberOwners } from "./number/PhoneNumberEntity.ts"
import { MessageRepo } from "./read/MessageRepo.ts"
import { suspendedContent } from "./receive/SuspendedContentRepo.ts"
import { SandboxUnitMs } from "./sandbox/SandboxScenario.ts"
import { gauges } from "./send/SendGaugesRepo.ts"

export { PhoneNumberEntity } from "./number/PhoneNumberEntity.ts"
export { sandboxMessageId } from "./sandbox/SandboxChat.ts"
export { scenarios } from "./sandbox/SandboxScenario.ts"
export { simulatedContent, simulatedCustomer, simulatedPayload } from "./sandbox/SimulatedInbound.ts"

/** Numbers whose owners have something to do. Architecture, section 2 "Volatile messages, durable rows" */
const dueNumbers: DueOwners["due"] = (now, after, limit) =>
  Effect.provide(
    Effect.flatMap(SendingRepo, (repo) => repo.dueNumbers(now, after, limit)),
    SendingRepo.layer
  )

/** Sending, receiving and reading messages. */
export const room = defineRoom({
  name: "messages",
  settings: ({ sandboxStatusDelayMs }: { readonly sandboxStatusDelayMs: number }) =>
    Layer.succeed(SandboxUnitMs, sandboxStatusDelayMs),
  // Content that number management holds back is not sent again either.
  answers: Layer.effect(SuspendedContent, suspendedContent),
  routes: MessagesHttp.pipe(Layer.provide(MessageRepo.layer)),
  owners: phoneNumberOwners.pipe(Layer.provide(SendingRepo.layer)),
  due: [Effect.succeed({ type: PhoneNumberEntity.name, due: dueNumbers })],
  gauges
})
