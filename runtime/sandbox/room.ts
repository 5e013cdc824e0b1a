import { OwnerClocks } from "@carteiro/owners/OwnerClocks.ts"
import { Effect, Layer } from "effect"
import { CallerReads } from "../access/Access.ts"
import { defineRoom } from "../room/Room.ts"
import { ClockHttp } from "./clock/ClockHttp.ts"
import { ClockRepo, dueClocks } from "./clock/ClockRepo.ts"
import { DueHttp } from "./clock/DueHttp.ts"
import { ResetRepo } from "./clock/ResetRepo.ts"
import { SandboxClockEntity, sandboxClockOwners } from "./clock/SandboxClockEntity.ts"
import { LlmFailureRepo } from "./LlmFailureRepo.ts"
import { SandboxCustomers } from "./SandboxCustomers.ts"
import { SandboxHttp } from "./SandboxHttp.ts"

/** Provides every owner with its clock. */
const ownerClocks = Layer.effect(
  OwnerClocks,
  Effect.map(ClockRepo, ({ standing }) => standing)
).pipe(Layer.provide(ClockRepo.layer))

/** The sandbox room: quickstart, simulations, and the clock; owners of the messages room simulate. */
export const room = defineRoom({
  name: "sandbox",
  answers: ownerClocks,
  actions: SandboxCustomers.layer,
  routes: Layer.mergeAll(SandboxHttp, ClockHttp, DueHttp).pipe(
    Layer.provide([CallerReads.layer, LlmFailureRepo.layer, ClockRepo.layer])
  ),
  owners: sandboxClockOwners.pipe(Layer.provide([ClockRepo.layer, ResetRepo.layer])),
  due: [Effect.succeed({ type: SandboxClockEntity.name, due: dueClocks })]
})
