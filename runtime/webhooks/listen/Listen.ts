import { Layer } from "effect"
import { EventBodies } from "../../outbox/EventBodies.ts"
import { listenOwners } from "./ListenBehaviour.ts"
import { ListenEndpoints } from "./ListenEndpointRepo.ts"
import { ListenHttp } from "./ListenHttp.ts"
import { ListenNotifier } from "./ListenNotifier.ts"
import { ListenRepo } from "./ListenRepo.ts"
import { ListenSessionRepo } from "./ListenSessionRepo.ts"

export { listenFollower } from "./ListenRepo.ts"
export { listenJobs } from "./ListenRetentionRepo.ts"

const repos = Layer.merge(ListenRepo.layer, ListenSessionRepo.layer)

/** The routes of listening, for the room's door. */
export const listenLayer = ListenHttp.pipe(
  Layer.provide(Layer.mergeAll(repos, ListenEndpoints.layer, EventBodies.layer))
)

/** The owners of listening, for nodes that hold shards; every node needs `listenFollower` after its outbox. */
export const listenOwnersLayer = listenOwners.pipe(Layer.provide(Layer.merge(repos, ListenNotifier.layer)))
