import { defineWrite } from "../../platform/commit/Write.ts"
import { apiKeyLimit } from "./ApiKeyRules.ts"

const counter = (row: { readonly environment_id: string | null }) => `environment_counters/${row.environment_id}`
const keyAndCounter = (row: { readonly environment_id: string | null; readonly id: string | null }) => [
  `api_keys/${row.id}`,
  counter(row)
]

/** A new key, if its project is active and its environment holds fewer than 100. gaps-1 F "Number of keys", A-KEY-17 */
export const insertKey = defineWrite({
  name: "api_keys.insert",
  columns: {
    environment_id: "text",
    id: "text",
    project_id: "text",
    organization_id: "text",
    name: "text",
    key_prefix: "text",
    secret_hash: "bytea",
    scopes: "text",
    kind: "text",
    expires_at: "timestamptz",
    created_at: "timestamptz"
  },
  returns: true,
  target: counter,
  guard: (asked) => `select r.unit from ${asked} r
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
  ],
  sql: (
    source
  ) => `insert into api_keys (environment_id, id, project_id, organization_id, name, key_prefix, secret_hash,
      scopes, kind, status, expires_at, created_at)
    select r.environment_id, r.id, r.project_id, r.organization_id, r.name, r.key_prefix, r.secret_hash, r.scopes,
      r.kind, 'active', r.expires_at, r.created_at
    from ${source} r
    returning id as key`
})

/** Another secret for a key that works. A-KEY-26..28 */
export const rotateKey = defineWrite({
  name: "api_keys.rotate",
  columns: { environment_id: "text", id: "text", key_prefix: "text", secret_hash: "bytea", at: "timestamptz" },
  returns: true,
  target: (row) => `api_keys/${row.id}`,
  guard: (asked) => `select r.unit from ${asked} r
    join api_keys k on k.environment_id = r.environment_id and k.id = r.id
    where k.status = 'active' and (k.expires_at is null or k.expires_at > r.at)
    order by k.environment_id, k.id for update of k`,
  sql: (source) => `update api_keys k set key_prefix = r.key_prefix, secret_hash = r.secret_hash from ${source} r
    where k.environment_id = r.environment_id and k.id = r.id
    returning k.id as key`
})

/** Another name, in any status. A-KEY-25 */
export const renameKey = defineWrite({
  name: "api_keys.rename",
  columns: { environment_id: "text", id: "text", name: "text" },
  target: (row) => `api_keys/${row.id}`,
  sql: (source) => `update api_keys k set name = r.name from ${source} r
    where k.environment_id = r.environment_id and k.id = r.id`
})

/** The end of a key; its place becomes free. A second one changes nothing. A-KEY-29, A-KEY-30 */
export const revokeKey = defineWrite({
  name: "api_keys.revoke",
  columns: { environment_id: "text", id: "text", at: "timestamptz" },
  target: keyAndCounter,
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
