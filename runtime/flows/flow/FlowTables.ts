import { defaulted, defineTable, int4, jsonOf, nullable, text, timestamptz } from "@carteiro/tables/Table.ts"
import { tenant } from "../../erasure/Standings.ts"
import type { FlowDefinition } from "./FlowState.ts"

/** Forms that a message opens. */
export const flowsTable = defineTable("flows", {
  owner: "flows",
  erasure: tenant,
  key: ["environment_id", "id"],
  columns: {
    environment_id: text,
    id: text,
    name: text,
    status: text,
    provider_flow_id: nullable(text),
    rejection_reason: nullable(text),
    categories: jsonOf<ReadonlyArray<string>>(),
    flow_json: jsonOf<FlowDefinition>(),
    provider_step: nullable(text),
    due_at: nullable(timestamptz),
    attempts: defaulted(int4),
    publishing_since: nullable(timestamptz),
    published_at: nullable(timestamptz),
    deleted_at: nullable(timestamptz),
    created_at: timestamptz,
    updated_at: timestamptz
  }
})
