import { Effect, Layer } from "effect"
import { AccountActs } from "../billing/Billing.ts"
import { dueInboxes } from "../platform/inbox/InboxRepo.ts"
import { VendorInbox } from "../platform/inbox/VendorInbox.ts"
import { defineRoom } from "../platform/room/Room.ts"
import { AgenticBanks } from "./agentic/AgenticBanks.ts"
import { AgenticRepo, dueEnvironments } from "./agentic/AgenticRepo.ts"
import { createPayment } from "./agentic/CreatePayment.ts"
import { endPayment } from "./agentic/EndPayment.ts"
import { AgenticHttp } from "./routes/AgenticHttp.ts"
import { PixWebhookHttp } from "./routes/PixWebhookHttp.ts"
import { AgenticWorkerEntity, agenticWorkers } from "./worker/AgenticWorkerEntity.ts"
import { PixNoticesEntity, pixNoticesOwners } from "./worker/PixNoticesEntity.ts"

/** What accounts decide for this room. */
const acts = Layer.effectDiscard(
  Effect.gen(function* () {
    const known = yield* AccountActs
    known.add(yield* createPayment)
    known.add(yield* endPayment)
  })
).pipe(Layer.provide(AgenticRepo.layer))

/** Lets nodes that host no owners wake those of notices. */
const waking = Layer.effectDiscard(PixNoticesEntity.client)

/** Payments: for now those that agents make by authorizations of bank customers. */
export const room = defineRoom({
  name: "payments",
  services: acts,
  routes: Layer.mergeAll(AgenticHttp, PixWebhookHttp, waking).pipe(
    Layer.provide(Layer.mergeAll(AgenticRepo.layer, AgenticBanks.layer, VendorInbox.layer))
  ),
  owners: Layer.merge(agenticWorkers, pixNoticesOwners).pipe(Layer.provide(AgenticRepo.layer)),
  due: [
    Effect.succeed({ type: AgenticWorkerEntity.name, due: dueEnvironments("agentic_authorizations") }),
    Effect.succeed({ type: AgenticWorkerEntity.name, due: dueEnvironments("agentic_payments") }),
    Effect.succeed({ type: PixNoticesEntity.name, due: dueInboxes(PixNoticesEntity.name) })
  ]
})
