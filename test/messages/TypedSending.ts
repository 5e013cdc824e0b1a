import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { seededTemplateRows } from "@carteiro/runtime/templates/Templates.ts"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { TestEnvironment } from "../support/Tenants.ts"
import { sandboxProject } from "./SandboxProject.ts"

/** The three templates of a new environment. */
export const seedTemplates = Effect.fnUntraced(function* (environment: Pick<TestEnvironment, "id" | "kind">) {
  const ids = yield* Ids
  const commit = yield* Commit
  const at = yield* Clock.currentTimeMillis
  yield* commit.write(seededTemplateRows(ids, { environment_id: environment.id, kind: environment.kind, at }))
})

/** Makes an approved template with these components. */
export const seedTemplate = Effect.fnUntraced(function* (
  environment: Pick<TestEnvironment, "id" | "kind">,
  template: { readonly name: string; readonly components: ReadonlyArray<object>; readonly parameter_format?: string }
) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`update templates set name = ${template.name}, parameter_format = ${template.parameter_format ?? "POSITIONAL"}
    where environment_id = ${environment.id} and name = 'welcome'`
  yield* sql`update template_versions v set components = ${JSON.stringify(template.components)},
      parameter_format = ${template.parameter_format ?? "POSITIONAL"}
    from templates t where t.environment_id = ${environment.id} and t.name = ${template.name}
      and v.environment_id = t.environment_id and v.template_id = t.id`
}, Effect.orDie)

/** A sandbox project with templates, a customer whose window is open, and helpers that send to them. */
export const typedStage = Effect.gen(function* () {
  const { api, key, number, project, simulate } = yield* sandboxProject
  yield* seedTemplates(project.sandbox)
  const body = (message: object, more: object = {}) => ({
    channel: "chatapp",
    sender: { type: "chatapp_phone_number", id: number.id },
    recipient: { type: "phone_e164", id: "+5511912345678" },
    message,
    ...more
  })
  const send = (message: object, more: object = {}, options: object = {}) =>
    api.post("/v1/messages", body(message, more), { key, ...options })
  const read = (id: string) => Effect.map(api.get(`/v1/messages/${id}`, { key }), (answer) => answer.body)
  yield* simulate()
  return { api, body, key, number, project, read, send, simulate }
})

/** Outbound messages of an environment. */
export const messageCount = Effect.fnUntraced(function* (environmentId: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ count: number }>`select count(*)::int4 as count from messages
    where environment_id = ${environmentId} and direction = 'outbound'`
  return rows[0]?.count
}, Effect.orDie)
