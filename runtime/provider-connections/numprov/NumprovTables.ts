import { bool, defaulted, defineTable, int4, nullable, sealed, text, timestamptz } from "@carteiro/tables/Table.ts"
import { tenant } from "../../erasure/Standings.ts"

/** Accounts of tenants at the number provider. gaps-2 L "Number-provider connections" */
export const numprovConnectionsTable = defineTable("numprov_connections", {
  owner: "provider-connections",
  erasure: tenant,
  key: ["environment_id", "id"],
  columns: {
    environment_id: text,
    id: text,
    environment: text,
    status: text,
    display_name: text,
    account_id: text,
    credential: nullable(sealed(text, "key of the tenant")),
    credential_last_four: nullable(text),
    webhook_secret: nullable(sealed(text, "secret of the tenant")),
    error_code: nullable(text),
    connected_at: nullable(timestamptz),
    last_discovered_at: nullable(timestamptz),
    token_rotated_at: nullable(timestamptz),
    created_at: timestamptz,
    updated_at: timestamptz,
    disconnected_at: nullable(timestamptz)
  }
})

/** Commands to the number provider for such an account, with their outcome. */
export const numprovOperationsTable = defineTable("numprov_operations", {
  owner: "provider-connections",
  erasure: tenant,
  key: ["environment_id", "id"],
  columns: {
    environment_id: text,
    id: text,
    numprov_connection_id: text,
    kind: text,
    status: text,
    credential: nullable(sealed(text, "key of the tenant")),
    credential_last_four: nullable(text),
    webhook_secret: nullable(sealed(text, "secret of the tenant")),
    error_code: nullable(text),
    attempts: defaulted(int4),
    due_at: nullable(timestamptz),
    created_at: timestamptz,
    updated_at: timestamptz,
    completed_at: nullable(timestamptz)
  }
})

/** Numbers of such an account as they were last listed. */
export const numprovResourcesTable = defineTable("numprov_resources", {
  owner: "provider-connections",
  erasure: tenant,
  key: ["environment_id", "numprov_connection_id", "provider_number_id"],
  columns: {
    environment_id: text,
    numprov_connection_id: text,
    provider_number_id: text,
    phone: text,
    status: text,
    sms: bool,
    first_seen_at: timestamptz,
    observed_at: timestamptz
  }
})
