import { bool, defaulted, defineTable, int4, nullable, select, text, timestamptz } from "@carteiro/tables/Table.ts"
import { ids, tenant } from "../../erasure/Standings.ts"

/** Counts that limit an environment, moved in the statement that makes or removes what they count. */
export const environmentCountersTable = defineTable("environment_counters", {
  owner: "access",
  erasure: ids,
  reset: "changed",
  key: ["environment_id"],
  columns: {
    environment_id: text,
    active_api_keys: defaulted(int4),
    webhook_endpoints: defaulted(int4)
  }
})

/** The sandbox and the production of a project. */
export const environmentsTable = defineTable("environments", {
  owner: "access",
  erasure: tenant,
  key: ["id"],
  columns: {
    id: text,
    organization_id: text,
    project_id: text,
    kind: text,
    capabilities_off: defaulted(text),
    created_at: timestamptz
  }
})

/** Organizations, the tenants of the product. */
export const organizationsTable = defineTable("organizations", {
  owner: "access",
  erasure: tenant,
  key: ["id"],
  columns: {
    id: text,
    name: text,
    suspended_at: nullable(timestamptz),
    removed_at: nullable(timestamptz),
    credit_blocked: defaulted(bool),
    created_at: timestamptz
  }
})

/** The columns of an organization. */
export const organizationColumns = select(
  organizationsTable,
  "id",
  "name",
  "suspended_at",
  "credit_blocked",
  "created_at"
)
