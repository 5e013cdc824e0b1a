import { Layer } from "effect"
import { CallerRepo } from "../access/Access.ts"
import { defineRoom } from "../room/Room.ts"
import { LlmFailureRepo } from "./LlmFailureRepo.ts"
import { SandboxHttp } from "./SandboxHttp.ts"

/** What a newcomer is shown, and what may be simulated; owners of room messages do it. */
export const room = defineRoom({
  name: "sandbox",
  routes: SandboxHttp.pipe(Layer.provide([CallerRepo.layer, LlmFailureRepo.layer]))
})
