import { dueInboxes } from "@carteiro/owners/Inbox.ts"
import { Effect, Layer } from "effect"
import { AccountActs } from "../billing/Billing.ts"
import { defineRoom } from "../room/Room.ts"
import { VendorInbox } from "../vendor-webhooks/VendorInbox.ts"
import { AgenticBanks } from "./agentic/AgenticBanks.ts"
import { AgenticRepo } from "./agentic/AgenticRepo.ts"
import { createPayment } from "./agentic/CreatePayment.ts"
import { endPayment } from "./agentic/EndPayment.ts"
import { acceptPayment } from "./payment/AcceptPayment.ts"
import { finishPayment } from "./payment/FinishPayment.ts"
import { PaymentRepo } from "./payment/PaymentRepo.ts"
import { AgenticActions } from "./routes/AgenticActions.ts"
import { AgenticHttp } from "./routes/AgenticHttp.ts"
import { PaymentActions } from "./routes/PaymentActions.ts"
import { PaymentPages } from "./routes/PaymentPages.ts"
import { PaymentsHttp } from "./routes/PaymentsHttp.ts"
import { PixWebhookHttp } from "./routes/PixWebhookHttp.ts"
import { SandboxCheckouts } from "./sandbox/SandboxCheckouts.ts"
import { SandboxPaymentsEntity, sandboxPaymentOwners } from "./sandbox/SandboxPaymentsEntity.ts"
import { sealOldRows } from "./sealing/SealOldRows.ts"
import { AgenticWorkerEntity, agenticWorkers } from "./worker/AgenticWorkerEntity.ts"
import { dueEnvironments } from "./worker/DueEnvironments.ts"
import { PaymentWorkerEntity, paymentWorkers } from "./worker/PaymentWorkerEntity.ts"
import { PixNoticesEntity, pixNoticesOwners } from "./worker/PixNoticesEntity.ts"

const repos = Layer.merge(AgenticRepo.layer, PaymentRepo.layer)

/** What accounts decide for this room, on nodes that hold them. */
const acts = Layer.effectDiscard(
  Effect.gen(function* () {
    const known = yield* AccountActs
    known.add(yield* createPayment)
    known.add(yield* endPayment)
    known.add(yield* acceptPayment)
    known.add(yield* finishPayment)
  })
).pipe(Layer.provide(repos))

/** Lets nodes that host no owners wake those of notices. */
const waking = Layer.effectDiscard(PixNoticesEntity.client)

/** Payments: those that somebody is asked for, and those that agents make by authorizations of bank customers. */
export const room = defineRoom({
  name: "payments",
  services: repos,
  actions: Layer.mergeAll(AgenticActions.layer, PaymentActions.layer, PaymentPages.layer),
  routes: Layer.mergeAll(PaymentsHttp, AgenticHttp, PixWebhookHttp, waking).pipe(
    Layer.provide(Layer.mergeAll(repos, AgenticBanks.layer, VendorInbox.layer))
  ),
  owners: Layer.mergeAll(acts, paymentWorkers, sandboxPaymentOwners, agenticWorkers, pixNoticesOwners).pipe(
    Layer.provide(Layer.merge(repos, SandboxCheckouts.layer))
  ),
  due: [
    Effect.succeed({ type: PaymentWorkerEntity.name, due: dueEnvironments("payment_requests") }),
    Effect.succeed({ type: SandboxPaymentsEntity.name, due: dueEnvironments("sandbox_payments") }),
    Effect.succeed({ type: AgenticWorkerEntity.name, due: dueEnvironments("agentic_authorizations") }),
    Effect.succeed({ type: AgenticWorkerEntity.name, due: dueEnvironments("agentic_payments") }),
    Effect.succeed({ type: PixNoticesEntity.name, due: dueInboxes(PixNoticesEntity.name) })
  ],
  jobs: [sealOldRows]
})
