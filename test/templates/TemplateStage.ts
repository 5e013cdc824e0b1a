import { Ids } from "@carteiro/owners/Ids.ts"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api, type CallOptions } from "../support/ApiTest.ts"
import { quiesce } from "../support/OwnerTest.ts"
import { seedProject } from "../support/Tenants.ts"

export const path = "/v1/templates"

/** A whole body to make a template of; one BODY without variables unless more is said. */
export const draft = {
  name: "order_shipped",
  language: "pt_BR",
  category: "utility",
  components: [{ type: "BODY", text: "Seu pedido está a caminho." }]
}

/** A project of its own, and calls to its environments. */
export const templateProject = Effect.gen(function* () {
  const api = yield* Api
  const name = (yield* Ids).mint("prj", yield* Clock.currentTimeMillis).slice(-12)
  const project = yield* seedProject(api.acme.organization_id, `templates-${name}`)
  const of = (environment: "sandbox" | "production") => {
    const { id, key } = project[environment]
    return {
      id,
      key,
      create: (more: object = {}, options: CallOptions = {}) =>
        api.post(path, { ...draft, ...more }, { key, ...options }),
      get: (templateId: string) => api.get(`${path}/${templateId}`, { key }),
      patch: (templateId: string, change: object) => api.patch(`${path}/${templateId}`, change, { key }),
      submit: (templateId: string, options: CallOptions = {}) =>
        api.post(`${path}/${templateId}/submit`, undefined, { key, ...options }),
      duplicate: (templateId: string, body: object) => api.post(`${path}/${templateId}/duplicate`, body, { key }),
      remove: (templateId: string) => api.delete(`${path}/${templateId}`, { key }),
      setStatus: (templateId: string, body: object, options: CallOptions = {}) =>
        api.post(`/v1/sandbox/templates/${templateId}/status`, body, { key, ...options })
    }
  }
  return { api, sandbox: of("sandbox"), production: of("production") }
})

/** What was told of a template, in the order of telling. */
export const told = Effect.fnUntraced(function* (templateId: string) {
  yield* quiesce
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ type: string; envelope: string }>`select type, envelope from outbox_events
    where source_id = ${templateId} order by id`
  return rows.map(({ envelope, type }) => ({ type, data: JSON.parse(envelope).data }))
})

/** A template as its owner sees it beside what reads show. */
export const inUse = Effect.fnUntraced(function* (templateId: string) {
  yield* quiesce
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly version: number | null; readonly status: string | null }>`
    select latest_approved_version as version, sending_status as status from templates where id = ${templateId}`
  return row
})
