import { Layer } from "effect"
import { defineRoom } from "../platform/room/Room.ts"
import { FlowActions } from "./flow/FlowActions.ts"
import { FlowRepo } from "./flow/FlowRepo.ts"
import { FlowsHttp } from "./flow/FlowsHttp.ts"
import { NamedFlows } from "./named/NamedFlows.ts"

export { resolveFlow } from "./named/NamedFlow.ts"
export { NamedFlows } from "./named/NamedFlows.ts"

/** Flows of an environment, and how sends find them. */
export const room = defineRoom({
  name: "flows",
  services: NamedFlows.layer,
  routes: FlowsHttp.pipe(Layer.provide(FlowActions.layer), Layer.provide(FlowRepo.layer))
})
