import { json } from "@carteiro/tables/StoredJson.ts"
import { insertInto, rowOf, updateOf } from "@carteiro/tables/TableWrite.ts"
import { defineWrite } from "@carteiro/tables/Write.ts"
import type { FlowDefinition } from "./FlowState.ts"
import { flowsTable } from "./FlowTables.ts"

const table = "flows"
const key = { environment_id: "text", id: "text" } as const
const target = rowOf(table, "environment_id", "id")
const unpublished = "t.status in ('draft', 'rejected') and t.deleted_at is null"

/** Inserts a draft. */
export const insertFlow = insertInto(flowsTable, {
  columns: ["environment_id", "id", "name", "status", "categories", "flow_json", "created_at", "updated_at"]
})

/**
 * Writes the members of a PATCH; a refused flow becomes a draft again, because its reason concerned the old content.
 */
export const changeFlow = updateOf(flowsTable, {
  name: "flows.change",
  beside: { name: "text", categories: json<ReadonlyArray<string>>(), flow_json: json<FlowDefinition>() },
  set: ["updated_at"],
  values: {
    name: "coalesce(r.name, t.name)",
    categories: "coalesce(r.categories, t.categories)",
    flow_json: "coalesce(r.flow_json, t.flow_json)",
    status: "'draft'",
    rejection_reason: "null"
  },
  guard: unpublished,
  returning: "t.id"
})

/** Publishes a flow under the given id; without an id the provider is called from now on. M-FLOW-07 */
export const publishFlow = updateOf(flowsTable, {
  name: "flows.publish",
  beside: { provider_flow_id: "text" },
  set: ["updated_at"],
  values: {
    status: "case when r.provider_flow_id is null then 'publishing' else 'published' end",
    provider_flow_id: "coalesce(r.provider_flow_id, t.provider_flow_id)",
    published_at: "case when r.provider_flow_id is null then null else r.updated_at end",
    rejection_reason: "null",
    attempts: "0",
    publishing_since: "r.updated_at",
    provider_step: `case when r.provider_flow_id is not null then null
      when t.provider_flow_id is null then 'create' else 'upload' end`,
    due_at: "case when r.provider_flow_id is null then r.updated_at end"
  },
  guard: unpublished,
  returning: "t.id"
})

/** Deprecates a flow: no send may name it any more, whatever the provider answers. */
export const deprecateFlow = updateOf(flowsTable, {
  name: "flows.deprecate",
  beside: { tells_provider: "bool" },
  set: ["updated_at"],
  values: {
    status: "'deprecated'",
    attempts: "0",
    provider_step: "case when r.tells_provider then 'deprecate' end",
    due_at: "case when r.tells_provider then r.updated_at end"
  },
  guard: "t.status = 'published'",
  returning: "t.id"
})

/** Hides a draft that the provider knows, and makes its removal there due. */
export const discardFlow = updateOf(flowsTable, {
  name: "flows.discard",
  set: ["updated_at"],
  values: { deleted_at: "r.updated_at", attempts: "0", provider_step: "'remove'", due_at: "r.updated_at" },
  guard: "t.status = 'draft' and t.deleted_at is null and t.provider_flow_id is not null",
  returning: "t.id"
})

/** Deletes a draft that no provider knows. */
export const deleteFlow = defineWrite({
  name: "flows.delete",
  columns: key,
  returns: true,
  target,
  sql: (source) => `delete from flows t using ${source} r
    where t.environment_id = r.environment_id and t.id = r.id and t.status = 'draft' and t.provider_flow_id is null
    returning t.id as key`
})
