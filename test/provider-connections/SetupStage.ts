import { Effect } from "effect"
import { cookieOf, csrfIn, signedIn, type Visitor } from "../console/Visitor.ts"
import { Api } from "../support/ApiTest.ts"
import { seedProject } from "../support/Tenants.ts"

export const path = "/v1/provider-credential-setup-sessions"
let projects = 0

/** A new project of acme, the setup sessions of its environments, and the decisions on them. */
export const setupStage = Effect.fnUntraced(function* (kind: "sandbox" | "production" = "sandbox") {
  const api = yield* Api
  const environment = (yield* seedProject(api.acme.organization_id, `setup-${++projects}`))[kind]
  const { key } = environment
  const create = (target: string, idempotencyKey?: string) =>
    api.post(path, { target }, idempotencyKey === undefined ? { key } : { key, idempotencyKey })
  const read = (id: string) => api.get(`${path}/${id}`, { key })
  const decide = Effect.fnUntraced(function* (
    who: Visitor,
    id: string,
    decision: "complete" | "deny",
    body: unknown,
    csrf?: string
  ) {
    const token = csrf ?? csrfIn((yield* who.get("/dashboard/device")).text)
    const route = `${path}/${id}/${decision}`
    return yield* api.post(route, body, { headers: { ...cookieOf(who.cookies, route), "x-csrf-token": token } })
  })
  return { api, environment, key, create, read, decide, owner: yield* signedIn(api.acme) }
})
