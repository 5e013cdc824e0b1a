import { defineInsert, defineUpdate, rowOf } from "@carteiro/tables/TableWrite.ts"
import { defineWrite } from "@carteiro/tables/Write.ts"

const table = "numprov_connections"
const key = { environment_id: "text", id: "text" } as const
const target = rowOf(table, "environment_id", "id")

/**
 * Registers an account. When its environment already has a live one, nothing is written and its key is not returned.
 * M-IMP-17
 */
export const insertNumprov = defineInsert({
  table,
  columns: {
    ...key,
    environment: "text",
    display_name: "text",
    account_id: "text",
    credential: "bytea",
    credential_last_four: "text",
    webhook_secret: "bytea",
    created_at: "timestamptz"
  },
  values: { status: "'pending'", updated_at: "r.created_at" },
  conflict: "ignore",
  claims: "id",
  returning: "id"
})

/** Inserts an operation; except for a registration, nothing of the unit is written unless the account is connected. */
export const insertOperation = defineInsert({
  table: "numprov_operations",
  columns: {
    environment_id: "text",
    id: "text",
    numprov_connection_id: "text",
    kind: "text",
    credential: "bytea",
    credential_last_four: "text",
    webhook_secret: "bytea",
    created_at: "timestamptz"
  },
  values: { status: "'pending'", due_at: "r.created_at", updated_at: "r.created_at" },
  guard: (asked) => `select r.unit from ${asked} r where r.kind = 'register' or exists (
    select 1 from ${table} t where t.environment_id = r.environment_id and t.id = r.numprov_connection_id
      and t.status = 'connected')`,
  returning: "numprov_connection_id"
})

/** Marks an account as connected after its key was proven. */
export const connectNumprov = defineUpdate({
  name: "numprov_connections.connect",
  table,
  key,
  set: { updated_at: "timestamptz" },
  values: { status: "'connected'", connected_at: "r.updated_at" },
  where: "t.status = 'pending'",
  target
})

/** Marks an account as failed when its key is not proven: erases the key, and another account may be registered. */
export const failNumprov = defineUpdate({
  name: "numprov_connections.fail",
  table,
  key,
  set: { error_code: "text", updated_at: "timestamptz" },
  values: { status: "'failed'", credential: "null", webhook_secret: "null" },
  where: "t.status = 'pending'",
  target
})

/** Replaces the key with another proven one; replaces the webhook secret only when the rotation brought one. */
export const replaceNumprovKey = defineUpdate({
  name: "numprov_connections.replace_key",
  table,
  key,
  set: {
    credential: "bytea",
    credential_last_four: "text",
    webhook_secret: "bytea",
    token_rotated_at: "timestamptz"
  },
  values: {
    webhook_secret: "coalesce(r.webhook_secret, t.webhook_secret)",
    updated_at: "r.token_rotated_at"
  },
  where: "t.status = 'connected'",
  target
})

/** Disconnects an account and erases its secrets. */
export const disconnectNumprov = defineUpdate({
  name: "numprov_connections.disconnect",
  table,
  key,
  set: { disconnected_at: "timestamptz" },
  values: {
    status: "'disconnected'",
    credential: "null",
    webhook_secret: "null",
    updated_at: "r.disconnected_at"
  },
  guard: "t.status <> 'disconnected'",
  returning: "t.id",
  target
})

const ended = {
  due_at: "null",
  credential: "null",
  webhook_secret: "null",
  updated_at: "r.completed_at"
} as const

/** Writes the result of an operation and erases the secrets that came with it. M-IMP-18 */
export const settleOperation = defineUpdate({
  name: "numprov_operations.settle",
  table: "numprov_operations",
  key,
  set: { status: "text", error_code: "text", completed_at: "timestamptz" },
  values: ended,
  where: "t.status = 'pending'",
  target: rowOf("numprov_operations", "environment_id", "id")
})

/** Postpones an operation to a later attempt. */
export const deferOperation = defineUpdate({
  name: "numprov_operations.defer",
  table: "numprov_operations",
  key,
  set: { attempts: "int4", due_at: "timestamptz" },
  where: "t.status = 'pending'",
  target: rowOf("numprov_operations", "environment_id", "id")
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

const resource = { environment_id: "text", numprov_connection_id: "text", provider_number_id: "text" } as const

/** Writes a number as the account lists it now. */
export const observeResource = defineInsert({
  name: "numprov_resources.observe",
  table: "numprov_resources",
  columns: { ...resource, phone: "text", status: "text", sms: "bool", observed_at: "timestamptz" },
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
export const markDiscovered = defineUpdate({
  name: "numprov_connections.mark_discovered",
  table,
  key,
  set: { last_discovered_at: "timestamptz" },
  where: "t.status = 'connected'",
  target
})

/**
 * Marks a number as imported. When the number is no longer active under that phone, or its account no longer connected,
 * nothing of the unit is written.
 */
export const takeResource = defineUpdate({
  name: "numprov_resources.take",
  table: "numprov_resources",
  key: resource,
  beside: { phone: "text" },
  values: { observed_at: "t.observed_at" },
  guard: `t.status = 'active' and t.phone = r.phone and exists (select 1 from ${table} c
    where c.environment_id = t.environment_id and c.id = t.numprov_connection_id and c.status = 'connected')`,
  target: rowOf("numprov_resources", "environment_id", "numprov_connection_id", "provider_number_id")
})
