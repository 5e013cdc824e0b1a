import { insertInto, rowOf, updateOf } from "@carteiro/tables/TableWrite.ts"
import { defineWrite } from "@carteiro/tables/Write.ts"
import { apiKeyLimit } from "./ApiKeyRules.ts"
import { apiKeysTable } from "./ApiKeyTables.ts"

const table = "api_keys"
const target = rowOf(table, "id")
const counter = rowOf("environment_counters", "environment_id")

/**
 * Inserts a key, if its project is active and its environment holds fewer than 100. gaps-1 F "Number of keys", A-KEY-17
 */
export const insertKey = insertInto(apiKeysTable, {
  columns: [
    "environment_id",
    "id",
    "project_id",
    "organization_id",
    "name",
    "key_prefix",
    "secret_hash",
    "scopes",
    "kind",
    "expires_at",
    "created_at"
  ],
  values: { status: "'active'" },
  returning: "id",
  target: counter,
  guard: (source) => `select r.unit from ${source} r
    join projects p on p.organization_id = r.organization_id and p.id = r.project_id
    join environment_counters c on c.environment_id = r.environment_id
    where p.archived_at is null and p.deleted_at is null and c.active_api_keys < ${apiKeyLimit}
    order by c.environment_id for update of c for share of p`,
  before: [
    {
      name: "api_keys_counted",
      sql: (source) => `update environment_counters c set active_api_keys = c.active_api_keys + 1
        from ${source} r where c.environment_id = r.environment_id`
    }
  ]
})

/** Replaces the secret of a key that works. A-KEY-26..28 */
export const rotateKey = updateOf(apiKeysTable, {
  name: "api_keys.rotate",
  set: ["key_prefix", "secret_hash"],
  beside: { at: "timestamptz" },
  guard: "t.status = 'active' and (t.expires_at is null or t.expires_at > r.at)",
  returning: "t.id",
  target
})

/** Renames a key in any status. A-KEY-25 */
export const renameKey = updateOf(apiKeysTable, { name: "api_keys.rename", set: ["name"], target })

/** Revokes a key, which frees its place; a repeated call changes nothing. A-KEY-29, A-KEY-30 */
export const revokeKey = defineWrite({
  name: "api_keys.revoke",
  columns: { environment_id: "text", id: "text", at: "timestamptz" },
  target: (row) => [target(row), counter(row)],
  before: [
    {
      name: "api_keys_revoked",
      sql: (source) => `update api_keys k set status = 'revoked', revoked_at = r.at from ${source} r
        where k.environment_id = r.environment_id and k.id = r.id and k.status = 'active'
        returning k.environment_id`
    }
  ],
  sql: () => `update environment_counters c set active_api_keys = c.active_api_keys - g.keys
    from (select environment_id, count(*)::int4 as keys from api_keys_revoked group by environment_id) g
    where c.environment_id = g.environment_id`
})
