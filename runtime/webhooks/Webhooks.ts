import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Commit } from "../platform/commit/Commit.ts"
import { EventBodies } from "../platform/outbox/EventBodies.ts"
import { outboxInsert } from "../platform/outbox/Outbox.ts"
import { Activations } from "../platform/owner/activation/Activations.ts"
import { followers as fanOut, wokenEndpoints } from "./delivery/FanOutRepo.ts"
import { WebhookDeliveryRepo } from "./delivery/WebhookDeliveryRepo.ts"
import { jobs as deliveryJobs, dueEndpoints } from "./delivery/WebhookRetentionRepo.ts"
import { WebhookEndpointRepo } from "./endpoint/WebhookEndpointRepo.ts"
import { WebhookRegistry } from "./endpoint/WebhookRegistry.ts"
import { listenFollower, listenJobs, listenLayer, listenOwnersLayer } from "./listen/Listen.ts"
import { WebhookAdmin } from "./log/WebhookAdmin.ts"
import { WebhookEventRepo } from "./log/WebhookEventRepo.ts"
import { WebhookEventsHttp } from "./log/WebhookEventsHttp.ts"
import { WebhookResends } from "./log/WebhookResends.ts"
import { WebhookEndpointEntity, WebhookEndpointEntityLayer } from "./owner/WebhookEndpointEntity.ts"
import { WebhookEndpointsHttp } from "./owner/WebhookEndpointsHttp.ts"

export { DeliverySettings } from "./delivery/DeliverySettings.ts"
export { gauges } from "./delivery/WebhookGaugesRepo.ts"
export { WebhookRegistry } from "./endpoint/WebhookRegistry.ts"
export { type ShownDelivery, WebhookAdmin } from "./log/WebhookAdmin.ts"
export { SuspendedContent } from "./log/WebhookEventRepo.ts"
export { WebhookResends } from "./log/WebhookResends.ts"

const repos = Layer.mergeAll(
  WebhookEndpointRepo.layer,
  WebhookDeliveryRepo.layer,
  WebhookEventRepo.layer,
  EventBodies.layer
)

/** Wakes the owners whose queues a commit filled; best effort, the sweeper is the guarantee. Architecture, section 4 */
const waking = Layer.effectDiscard(
  Effect.gen(function* () {
    const commit = yield* Commit
    const activations = yield* Activations
    commit.after((outcome) => {
      const woken = outcome[wokenEndpoints]
      if (Array.isArray(woken)) for (const id of woken) activations.wake(WebhookEndpointEntity.name, id)
    })
  })
)

/** What the room does for others: registering receivers, sending again. */
export const servicesLayer = Layer.merge(WebhookRegistry.layer, WebhookResends.layer).pipe(Layer.provide(repos))

/** Routes and services of the room. */
export const layer = Layer.mergeAll(WebhookEndpointsHttp, WebhookEventsHttp, listenLayer, WebhookAdmin.layer).pipe(
  Layer.provide(repos),
  Layer.provideMerge(Layer.merge(servicesLayer, waking))
)

/** Owners of the room, for nodes that hold shards. */
export const ownersLayer = Layer.mergeAll(WebhookEndpointEntityLayer, listenOwnersLayer, waking).pipe(
  Layer.provide(repos)
)

/** What the room hangs behind every event: deliveries for subscribed endpoints, and who listens. Architecture, section 4 */
export const followers = {
  [outboxInsert.name]: [...(fanOut[outboxInsert.name] ?? []), listenFollower]
}

/** What the room forgets in time. gaps-1 K "Retention" */
export const jobs = [...deliveryJobs, ...listenJobs]

/** What the sweeper asks: which endpoints have something due. Architecture, section 2 "Sweeper" */
export const due = Effect.map(SqlClient.SqlClient, (sql) => ({
  type: WebhookEndpointEntity.name,
  due: dueEndpoints(sql)
}))
