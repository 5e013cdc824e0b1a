import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type {
  NumprovConnection,
  NumprovOperation,
  NumprovResource
} from "@carteiro/schema/provider-connections/NumprovConnection.ts"
import {
  bool,
  defaulted,
  defineTable,
  int4,
  nullable,
  sealed,
  select,
  text,
  textOf,
  timestamptz
} from "@carteiro/tables/Table.ts"
import { tenant } from "../../erasure/Standings.ts"

/** Accounts of tenants at the number provider. */
export const numprovConnectionsTable = defineTable("numprov_connections", {
  owner: "provider-connections",
  erasure: tenant,
  key: ["environment_id", "id"],
  columns: {
    environment_id: text,
    id: text,
    environment: textOf<EnvironmentKind>(),
    status: textOf<NumprovConnection["status"]>(),
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
    kind: textOf<NumprovOperation["kind"]>(),
    status: textOf<NumprovOperation["status"]>(),
    credential: nullable(sealed(text, "key of the tenant")),
    credential_last_four: nullable(text),
    webhook_secret: nullable(sealed(text, "secret of the tenant")),
    error_code: nullable(textOf<NonNullable<NumprovOperation["error_code"]>>()),
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
    status: textOf<NumprovResource["status"]>(),
    sms: bool,
    first_seen_at: timestamptz,
    observed_at: timestamptz
  }
})

/** The columns of an account that reads take as they are. */
export const numprovColumns = select(
  numprovConnectionsTable,
  "environment_id",
  "id",
  "environment",
  "status",
  "display_name",
  "account_id",
  "credential_last_four"
)

/** The instants of an account that reads show. */
export const numprovInstants = select(
  numprovConnectionsTable,
  "last_discovered_at",
  "created_at",
  "updated_at",
  "disconnected_at"
)

/** The columns of a command that reads show. */
export const operationColumns = select(
  numprovOperationsTable,
  "id",
  "numprov_connection_id",
  "kind",
  "status",
  "error_code",
  "created_at",
  "completed_at"
)

/** The columns of a number that reads show beside its id. */
export const resourceColumns = select(numprovResourcesTable, "phone", "status", "sms", "observed_at")
