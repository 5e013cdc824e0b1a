import { insertInto, rowOf, updateOf } from "@carteiro/tables/TableWrite.ts"
import { defineWrite } from "@carteiro/tables/Write.ts"
import { numprovConnectionsTable, numprovOperationsTable, numprovResourcesTable } from "./NumprovTables.ts"

const table = "numprov_connections"

/**
 * Registers an account. When its environment already has a live one, nothing is written and its key is not returned.
 * M-IMP-17
 */
export const insertNumprov = insertInto(numprovConnectionsTable, {
  columns: [
    "environment_id",
    "id",
    "environment",
    "display_name",
    "account_id",
    "credential",
    "credential_last_four",
    "webhook_secret",
    "created_at"
  ],
  values: { status: "'pending'", updated_at: "r.created_at" },
  conflict: "ignore",
  claims: "id",
  returning: "id"
})

/** Inserts an operation; except for a registration, nothing of the unit is written unless the account is connected. */
export const insertOperation = insertInto(numprovOperationsTable, {
  columns: [
    "environment_id",
    "id",
    "numprov_connection_id",
    "kind",
    "credential",
    "credential_last_four",
    "webhook_secret",
    "created_at"
  ],
  values: { status: "'pending'", due_at: "r.created_at", updated_at: "r.created_at" },
  guard: (source) => `select r.unit from ${source} r where r.kind = 'register' or exists (
    select 1 from ${table} t where t.environment_id = r.environment_id and t.id = r.numprov_connection_id
      and t.status = 'connected')`,
  returning: "numprov_connection_id"
})

/** Marks an account as connected after its key was proven. */
export const connectNumprov = updateOf(numprovConnectionsTable, {
  name: "numprov_connections.connect",
  set: ["updated_at"],
  values: { status: "'connected'", connected_at: "r.updated_at" },
  where: "t.status = 'pending'"
})

/** Marks an account as failed when its key is not proven: erases the key, and another account may be registered. */
export const failNumprov = updateOf(numprovConnectionsTable, {
  name: "numprov_connections.fail",
  set: ["error_code", "updated_at"],
  values: { status: "'failed'", credential: "null", webhook_secret: "null" },
  where: "t.status = 'pending'"
})

/** Replaces the key with another proven one; replaces the webhook secret only when the rotation brought one. */
export const replaceNumprovKey = updateOf(numprovConnectionsTable, {
  name: "numprov_connections.replace_key",
  set: ["credential", "credential_last_four", "webhook_secret", "token_rotated_at"],
  values: {
    webhook_secret: "coalesce(r.webhook_secret, t.webhook_secret)",
    updated_at: "r.token_rotated_at"
  },
  where: "t.status = 'connected'"
})

/** Disconnects an account and erases its secrets. */
export const disconnectNumprov = updateOf(numprovConnectionsTable, {
  name: "numprov_connections.disconnect",
  set: ["disconnected_at"],
  values: {
    status: "'disconnected'",
    credential: "null",
    webhook_secret: "null",
    updated_at: "r.disconnected_at"
  },
  guard: "t.status <> 'disconnected'",
  returning: "t.id"
})

const ended = {
  due_at: "null",
  credential: "null",
  webhook_secret: "null",
  updated_at: "r.completed_at"
} as const

/** Writes the result of an operation and erases the secrets that came with it. M-IMP-18 */
export const settleOperation = updateOf(numprovOperationsTable, {
  name: "numprov_operations.settle",
  set: ["status", "error_code", "completed_at"],
  values: ended,
  where: "t.status = 'pending'"
})

/** Postpones an operation to a later attempt. */
export const deferOperation = updateOf(numprovOperationsTable, {
  name: "numprov_operations.defer",
  set: ["attempts", "due_at"],
  where: "t.status = 'pending'"
})

/** Ends all open operations of an account that ended. */
export const endOperations = defineWrite({
  name: "numprov_operations.end",
  columns: { environment_id: "text", numprov_connection_id: "text", completed_at: "timestamptz" },
  target: rowOf("numprov_operations", "environment_id", "numprov_connection_id"),
  sql: (source) => `update numprov_operations t set status = 'failed', error_code = 'numprov_connection_unavailable',
      completed_at = r.completed_at, ${Object.entries(ended)
        .map(([column, value]) => `${column} = ${value}`)
        .join(", ")}
    from ${source} r where t.environment_id = r.environment_id and t.numprov_connection_id = r.numprov_connection_id
      and t.status = 'pending'`
})

const resource = ["environment_id", "numprov_connection_id", "provider_number_id"] as const

/** Writes a number as the account lists it now. */
export const observeResource = insertInto(numprovResourcesTable, {
  name: "numprov_resources.observe",
  columns: [...resource, "phone", "status", "sms", "observed_at"],
  values: { first_seen_at: "r.observed_at" },
  conflict: {
    on: ["environment_id", "numprov_connection_id", "provider_number_id"],
    update: ["phone", "status", "sms", "observed_at"]
  },
  target: rowOf("numprov_resources", "environment_id", "numprov_connection_id", "provider_number_id")
})

/** Ends a listing: numbers that were not listed since `began_at` no longer belong to the account. */
export const completeDiscovery = defineWrite({
  name: "numprov_resources.complete",
  columns: { environment_id: "text", numprov_connection_id: "text", began_at: "timestamptz", at: "timestamptz" },
  target: rowOf("numprov_resources", "environment_id", "numprov_connection_id"),
  sql: (source) => `update numprov_resources t set status = 'released', observed_at = r.at from ${source} r
    where t.environment_id = r.environment_id and t.numprov_connection_id = r.numprov_connection_id
      and t.observed_at < r.began_at and t.status <> 'released'`
})

/** Records when an account's numbers were listed. */
export const markDiscovered = updateOf(numprovConnectionsTable, {
  name: "numprov_connections.mark_discovered",
  set: ["last_discovered_at"],
  where: "t.status = 'connected'"
})

/**
 * Marks a number as imported. When the number is no longer active under that phone, or its account no longer connected,
 * nothing of the unit is written.
 */
export const takeResource = updateOf(numprovResourcesTable, {
  name: "numprov_resources.take",
  key: resource,
  beside: { phone: "text" },
  values: { observed_at: "t.observed_at" },
  guard: `t.status = 'active' and t.phone = r.phone and exists (select 1 from ${table} c
    where c.environment_id = t.environment_id and c.id = t.numprov_connection_id and c.status = 'connected')`
})
