import type { CreateFlow } from "@carteiro/schema/flows/Flow.ts"
import type { FlowStatus } from "@carteiro/schema/flows/FlowEvents.ts"
import {
  defaulted,
  defineTable,
  int4,
  jsonOf,
  nullable,
  select,
  text,
  textOf,
  timestamptz
} from "@carteiro/tables/Table.ts"
import { tenant } from "../../erasure/Standings.ts"

/**
 * The next call to the provider. `find` follows a `create` without an answer: the flow is looked up, never created
 * again.
 */
export type ProviderStep = "create" | "find" | "upload" | "publish" | "poll" | "deprecate" | "remove"

/** Forms that a message opens; instants are epoch milliseconds. */
export const flowsTable = defineTable("flows", {
  owner: "flows",
  erasure: tenant,
  key: ["environment_id", "id"],
  columns: {
    environment_id: text,
    id: text,
    name: text,
    status: textOf<typeof FlowStatus.Type>(),
    provider_flow_id: nullable(text),
    rejection_reason: nullable(text),
    categories: jsonOf<ReadonlyArray<string>>(),
    flow_json: jsonOf<CreateFlow["flow_json"]>(),
    provider_step: nullable(textOf<ProviderStep>()),
    due_at: nullable(timestamptz),
    /** The failed attempts of the present step. */
    attempts: defaulted(int4),
    publishing_since: nullable(timestamptz),
    published_at: nullable(timestamptz),
    deleted_at: nullable(timestamptz),
    created_at: timestamptz,
    updated_at: timestamptz
  }
})

/** The columns of a flow that other rooms learn. */
export const knownFlowColumns = select(flowsTable, "id", "name", "status", "provider_flow_id", "rejection_reason")

/** The columns of a flow with a due step, without its definition. */
export const flowTaskColumns = select(
  flowsTable,
  "id",
  "name",
  "status",
  "provider_flow_id",
  "rejection_reason",
  "provider_step",
  "attempts",
  "publishing_since",
  "published_at",
  "categories"
)
