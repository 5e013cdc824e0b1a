import { Layer } from "effect"
import { defineRoom } from "../platform/room/Room.ts"
import { connectedProviders } from "./connection/ConnectedProviders.ts"
import { ConnectionRepo } from "./connection/ConnectionRepo.ts"
import { DemoConnection } from "./connection/DemoConnection.ts"

export { type DemoAccount, DemoConnection } from "./connection/DemoConnection.ts"

/** Accounts at providers, and whom a sender leaves through. */
export const room = defineRoom({
  name: "provider-connections",
  answers: connectedProviders.pipe(Layer.provide(ConnectionRepo.layer)),
  services: DemoConnection.layer.pipe(Layer.provide(ConnectionRepo.layer))
})
