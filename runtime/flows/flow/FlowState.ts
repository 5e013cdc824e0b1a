import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { formatTimestamp, formatTimestampOrNull } from "@carteiro/schema/conventions/Timestamp.ts"
import type { CreateFlow, FlowEntry } from "@carteiro/schema/flows/Flow.ts"
import { readJson } from "@carteiro/tables/StoredJson.ts"
import { type SelectedRow, select } from "@carteiro/tables/Table.ts"
import { flowsTable } from "./FlowTables.ts"

/** The columns of a flow as lists need it. */
export const flowColumns = select(
  flowsTable,
  "id",
  "name",
  "status",
  "provider_flow_id",
  "rejection_reason",
  "categories",
  "created_at",
  "updated_at",
  "published_at"
)

/** A row of `flows` as lists need it. */
export type FlowRow = SelectedRow<typeof flowColumns>

/** The columns of a flow with its definition. */
export const flowDetailColumns = select(flowsTable, ...flowColumns.names, "flow_json")

/** A flow with its definition. */
export type FlowDetail = SelectedRow<typeof flowDetailColumns>

/** The definition of a flow, as its caller wrote it. */
export type FlowDefinition = CreateFlow["flow_json"]

/** Returns the provider's id of a sandbox flow. M-FLOW-07 */
export const sandboxFlowId = (id: string): string => `sb_${id}`

/** Returns the flow as lists show it. */
export const readFlowEntry = (row: FlowRow, environment: EnvironmentKind): FlowEntry => ({
  id: row.id,
  object: "flow",
  name: row.name,
  status: row.status,
  // The provider's id is hidden until publication, because no send may name it.
  provider_flow_id: row.published_at === null ? null : row.provider_flow_id,
  rejection_reason: row.rejection_reason,
  categories: readJson(row.categories),
  environment,
  created_at: formatTimestamp(row.created_at),
  updated_at: formatTimestamp(row.updated_at),
  published_at: formatTimestampOrNull(row.published_at)
})

/** Returns the flow as JSON text that contains the definition exactly as stored. gaps-2 G "Flow routes" */
export const flowText = (row: FlowDetail, environment: EnvironmentKind, trace_id: string): string => {
  const head = JSON.stringify({ ...readFlowEntry(row, environment), trace_id })
  return `${head.slice(0, -1)},"flow_json":${row.flow_json}}`
}
