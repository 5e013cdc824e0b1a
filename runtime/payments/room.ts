import { wakeAfterCommit } from "@carteiro/owners/DueWork.ts"
import { Effect, Layer } from "effect"
import { defineRoom } from "../room/Room.ts"
import { dueInboxes } from "../vendor-webhooks/InboxRepo.ts"
import { VendorInbox } from "../vendor-webhooks/VendorInbox.ts"
import { AgenticBanks } from "./agentic/AgenticBanks.ts"
import { AgenticRepo } from "./agentic/AgenticRepo.ts"
import { createPaymentHandler } from "./agentic/CreatePayment.ts"
import { endPaymentHandler } from "./agentic/EndPayment.ts"
import { acceptPaymentHandler } from "./payment/AcceptPayment.ts"
import { finishPaymentHandler } from "./payment/FinishPayment.ts"
import { PaymentReads } from "./payment/PaymentReads.ts"
import { PaymentRepo } from "./payment/PaymentRepo.ts"
import { hintReportedPayment } from "./payment/PaymentWorkWrites.ts"
import { agenticActionsLayer } from "./routes/AgenticActionsLayer.ts"
import { AgenticHttp } from "./routes/AgenticHttp.ts"
import { paymentActionsLayer } from "./routes/PaymentActionsLayer.ts"
import { PaymentLookupsHttp } from "./routes/PaymentLookupsHttp.ts"
import { paymentPagesLayer } from "./routes/PaymentPagesLayer.ts"
import { PaymentsHttp } from "./routes/PaymentsHttp.ts"
import { PixWebhookHttp } from "./routes/PixWebhookHttp.ts"
import { SandboxCheckouts } from "./sandbox/SandboxCheckouts.ts"
import { SandboxPaymentsWorker, sandboxPaymentOwners } from "./sandbox/SandboxPaymentsWorker.ts"
import { sealOldRows } from "./sealing/SealOldRows.ts"
import { AgenticWorker } from "./worker/AgenticWorker.ts"
import { agenticWorkers } from "./worker/AgenticWorkers.ts"
import { dueEnvironments } from "./worker/DueEnvironments.ts"
import { outwardPayments } from "./worker/OutwardPayments.ts"
import { PaymentWorker } from "./worker/PaymentWorker.ts"
import { paymentWorkers } from "./worker/PaymentWorkers.ts"
import { PixNoticesWorker, pixNoticesOwners } from "./worker/PixNoticesWorker.ts"

const repos = Layer.merge(AgenticRepo.layer, PaymentRepo.layer)

/** Lets nodes that host no owners wake the owners of notices. */
const waking = Layer.effectDiscard(PixNoticesWorker.client)

/** Wakes the worker of a reported payment; the sweeper catches a missed wake-up. */
const wakingWorkers = wakeAfterCommit(PaymentWorker.name, hintReportedPayment.name)

/** The payments room: payments by link or Pix code, and payments of agents under authorizations of bank customers. */
export const room = defineRoom({
  name: "payments",
  outward: outwardPayments,
  acts: [createPaymentHandler, endPaymentHandler, acceptPaymentHandler, finishPaymentHandler],
  services: Layer.mergeAll(repos, PaymentReads.layer),
  actions: Layer.mergeAll(agenticActionsLayer, paymentActionsLayer, paymentPagesLayer),
  routes: Layer.mergeAll(PaymentsHttp, AgenticHttp, PaymentLookupsHttp, PixWebhookHttp, waking).pipe(
    Layer.provide(Layer.mergeAll(repos, AgenticBanks.layer, VendorInbox.layer))
  ),
  owners: Layer.mergeAll(paymentWorkers, sandboxPaymentOwners, agenticWorkers, pixNoticesOwners, wakingWorkers).pipe(
    Layer.provide(Layer.merge(repos, SandboxCheckouts.layer))
  ),
  due: [
    Effect.succeed({ type: PaymentWorker.name, ...dueEnvironments("payment_requests") }),
    Effect.succeed({ type: SandboxPaymentsWorker.name, ...dueEnvironments("sandbox_payments") }),
    Effect.succeed({ type: AgenticWorker.name, ...dueEnvironments("agentic_authorizations") }),
    Effect.succeed({ type: AgenticWorker.name, ...dueEnvironments("agentic_payments") }),
    Effect.succeed({ type: PixNoticesWorker.name, due: dueInboxes(PixNoticesWorker.name) })
  ],
  jobs: [sealOldRows]
})
