import type { DueOwners } from "@carteiro/owners/DueWork.ts"
import { Effect, Layer } from "effect"
import { defineRoom } from "../room/Room.ts"
import { FlowActions } from "./flow/FlowActions.ts"
import { FlowRepo } from "./flow/FlowRepo.ts"
import { FlowsHttp } from "./flow/FlowsHttp.ts"
import { NamedFlows } from "./flow/NamedFlows.ts"
import { FlowPublisherWorker, flowPublisherOwners } from "./publish/FlowPublisherWorker.ts"
import { FlowReports, wakingPublishers } from "./publish/FlowReports.ts"
import { flowsOfTenant, ProviderTaskRepo } from "./publish/ProviderTaskRepo.ts"

/** Returns environments with a due provider call. */
const due: DueOwners["due"] = (now, after, limit) =>
  Effect.provide(
    Effect.flatMap(ProviderTaskRepo, (repo) => repo.dueEnvironments(now, after, limit)),
    ProviderTaskRepo.layer
  )

/** The flows room: flows of an environment, and the look-up of flows by sends. */
export const room = defineRoom({
  name: "flows",
  services: Layer.mergeAll(NamedFlows.layer, FlowReports.layer.pipe(Layer.provide(ProviderTaskRepo.layer))),
  actions: FlowActions.layer.pipe(Layer.provide(FlowRepo.layer)),
  routes: FlowsHttp.pipe(Layer.provide(FlowRepo.layer)),
  owners: Layer.merge(flowPublisherOwners, wakingPublishers).pipe(Layer.provide(ProviderTaskRepo.layer)),
  due: [Effect.succeed({ type: FlowPublisherWorker.name, due, ofTenant: flowsOfTenant })]
})
