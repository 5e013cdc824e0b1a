import { Ids } from "@carteiro/owners/Ids.ts"
import { Clock, Effect } from "effect"
import { Api } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { seedProject } from "../support/Tenants.ts"

/** A separate project with one sandbox number, and the simulation of a customer who writes to it. */
export const sandboxProject = Effect.gen(function* () {
  const api = yield* Api
  const name = (yield* Ids).mint("prj", yield* Clock.currentTimeMillis).slice(-12)
  const project = yield* seedProject(api.acme.organization_id, `sandbox-${name}`)
  const number = yield* seedNumber(project.sandbox)
  const { key } = project.sandbox
  const simulate = (body: object = {}, options: object = {}) =>
    api.post(
      "/v1/sandbox/inbound-messages",
      { channel: "chatapp", from: "+5511912345678", to: number.id, type: "text", text: { body: "oi" }, ...body },
      { key, ...options }
    )
  return { api, project, number, key, simulate }
})
