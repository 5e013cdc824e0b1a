import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Commit } from "../platform/commit/Commit.ts"
import { outboxInsert } from "../platform/outbox/Outbox.ts"
import { Residents } from "../platform/owner/Residents.ts"
import { followers as fanOut, wokenEndpoints } from "./FanOutRepo.ts"
import { listenFollower, listenJobs, listenLayer, listenOwnersLayer } from "./ListenLayer.ts"
import { WebhookBoardLayer } from "./WebhookBoardLayer.ts"
import { WebhookDeliveryRepo } from "./WebhookDeliveryRepo.ts"
import { WebhookEndpointEntity } from "./WebhookEndpointEntity.ts"
import { WebhookEndpointEntityLayer } from "./WebhookEndpointEntityLayer.ts"
import { WebhookEndpointRepo } from "./WebhookEndpointRepo.ts"
import { WebhookEndpointsHttp } from "./WebhookEndpointsHttp.ts"
import { WebhookEventRepo } from "./WebhookEventRepo.ts"
import { WebhookEventsHttp } from "./WebhookEventsHttp.ts"
import { WebhookRegistryLayer } from "./WebhookRegistryLayer.ts"
import { WebhookResendsLayer } from "./WebhookResendsLayer.ts"
import { jobs as deliveryJobs, dueEndpoints } from "./WebhookRetentionRepo.ts"

export { DeliverySettings } from "./DeliverySettings.ts"
export { WebhookBoard } from "./WebhookBoard.ts"
export { SuspendedContent } from "./WebhookEventRepo.ts"
export { WebhookRegistry } from "./WebhookRegistry.ts"
export { WebhookResends } from "./WebhookResends.ts"

const repos = Layer.mergeAll(WebhookEndpointRepo.layer, WebhookDeliveryRepo.layer, WebhookEventRepo.layer)

/** Wakes the owners whose queues a commit filled; best effort, the sweeper is the guarantee. Architecture, section 4 */
const waking = Layer.effectDiscard(
  Effect.gen(function* () {
    const commit = yield* Commit
    const residents = yield* Residents
    commit.after((outcome) => {
      const woken = outcome[wokenEndpoints]
      if (Array.isArray(woken)) for (const id of woken) residents.wake(WebhookEndpointEntity.name, id)
    })
  })
)

/** What the room does for others: registering receivers, sending again. */
export const servicesLayer = Layer.merge(WebhookRegistryLayer, WebhookResendsLayer).pipe(Layer.provide(repos))

/** Routes and services of the room. */
export const layer = Layer.mergeAll(WebhookEndpointsHttp, WebhookEventsHttp, listenLayer, WebhookBoardLayer).pipe(
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
