import { wakeAfterCommit } from "@carteiro/owners/DueWork.ts"
import { Effect, Layer } from "effect"
import { EventBodies } from "../outbox/EventBodies.ts"
import { outboxInsert } from "../outbox/Outbox.ts"
import { defineRoom } from "../room/Room.ts"
import { deliveryErasers } from "./delivery/DeliveryEraserRepo.ts"
import { DeliverySettings } from "./delivery/DeliverySettings.ts"
import { followers as fanOut, wokenEndpoints } from "./delivery/FanOutRepo.ts"
import { outwardDeliveries } from "./delivery/OutwardDeliveries.ts"
import type { RetryDelays } from "./delivery/RetrySchedule.ts"
import { WebhookDeliveryRepo } from "./delivery/WebhookDeliveryRepo.ts"
import { gauges } from "./delivery/WebhookGaugesRepo.ts"
import { jobs as deliveryJobs, dueEndpoints, dueRecoveries } from "./delivery/WebhookRetentionRepo.ts"
import { WebhookEndpointRepo } from "./endpoint/WebhookEndpointRepo.ts"
import { WebhookRegistry } from "./endpoint/WebhookRegistry.ts"
import { listenFollower, listenJobs, listenLayer, listenOwnersLayer } from "./listen/Listen.ts"
import { DeliveryLogHttp } from "./log/DeliveryLogHttp.ts"
import { EventLogHttp } from "./log/EventLogHttp.ts"
import { OutboxEventRepo } from "./log/OutboxEventRepo.ts"
import { WebhookEventRepo } from "./log/WebhookEventRepo.ts"
import { WebhookEventsHttp } from "./log/WebhookEventsHttp.ts"
import { WebhookOutagesHttp } from "./log/WebhookOutagesHttp.ts"
import { WebhookRecoveryWorker, webhookRecoveryOwners } from "./log/WebhookRecoveryWorker.ts"
import { WebhookResends } from "./log/WebhookResends.ts"
import { WebhookEndpointCommands } from "./owner/WebhookEndpointCommands.ts"
import { WebhookEndpointEntity, webhookEndpointOwners } from "./owner/WebhookEndpointEntity.ts"
import { WebhookEndpointsHttp } from "./owner/WebhookEndpointsHttp.ts"
import { WebhookRecoveries } from "./recovery/WebhookRecoveries.ts"
import { startedRecoveries, steppedRecoveries, WebhookRecoveryRepo } from "./recovery/WebhookRecoveryRepo.ts"

const repos = Layer.mergeAll(
  WebhookEndpointRepo.layer,
  WebhookDeliveryRepo.layer,
  WebhookEventRepo.layer,
  WebhookRecoveryRepo.layer,
  OutboxEventRepo.layer,
  EventBodies.layer
)

/** Wakes the owners whose queues a commit filled; the sweeper catches a missed wake-up. */
const waking = Layer.mergeAll(
  wakeAfterCommit(WebhookEndpointEntity.name, wokenEndpoints),
  wakeAfterCommit(WebhookEndpointEntity.name, steppedRecoveries),
  wakeAfterCommit(WebhookRecoveryWorker.name, startedRecoveries)
)

/** Returns endpoints with due deliveries. */
const due = Effect.succeed({ type: WebhookEndpointEntity.name, ...dueEndpoints })
const dueToRecover = Effect.succeed({ type: WebhookRecoveryWorker.name, ...dueRecoveries })

/** The settings that the room reads. */
interface WebhookSettings {
  readonly webhookRetryProduction: RetryDelays
  readonly webhookRetrySandbox: RetryDelays
}

/** The webhooks room: endpoints, their deliveries and the delivery log, and the stream of an environment. */
export const room = defineRoom({
  name: "webhooks",
  outward: [outwardDeliveries],
  settings: ({ webhookRetryProduction: production, webhookRetrySandbox: sandbox }: WebhookSettings) =>
    Layer.succeed(DeliverySettings, {
      schedules: { production, sandbox },
      connectTimeoutMs: 5_000,
      totalTimeoutMs: 15_000
    }),
  // After every event: deliveries to subscribed endpoints, and notifications of listeners.
  followers: { [outboxInsert.name]: [...(fanOut[outboxInsert.name] ?? []), listenFollower] },
  actions: Layer.mergeAll(
    WebhookEndpointCommands.layer.pipe(
      Layer.provideMerge(WebhookRegistry.layer),
      Layer.provideMerge(WebhookRecoveries.layer)
    ),
    WebhookResends.layer,
    waking
  ).pipe(Layer.provide(repos)),
  routes: Layer.mergeAll(
    WebhookEndpointsHttp,
    WebhookEventsHttp,
    DeliveryLogHttp,
    EventLogHttp,
    WebhookOutagesHttp,
    listenLayer
  ).pipe(Layer.provide(repos)),
  owners: Layer.mergeAll(webhookEndpointOwners, webhookRecoveryOwners, listenOwnersLayer, waking).pipe(
    Layer.provide(repos)
  ),
  due: [due, dueToRecover],
  erasers: deliveryErasers,
  // gaps-1 K "Retention"
  jobs: [...deliveryJobs, ...listenJobs],
  gauges
})
