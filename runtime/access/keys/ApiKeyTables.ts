import type { KeyScope } from "@carteiro/schema/conventions/Access.ts"
import { bytes, defineTable, jsonOf, nullable, text, timestamptz } from "@carteiro/tables/Table.ts"
import { tenant } from "../../erasure/Standings.ts"

/** API keys of an environment, by the hash of their secret. */
export const apiKeysTable = defineTable("api_keys", {
  owner: "access",
  erasure: tenant,
  key: ["environment_id", "id"],
  columns: {
    environment_id: text,
    id: text,
    project_id: text,
    organization_id: text,
    name: text,
    key_prefix: text,
    secret_hash: bytes("hash of a key of the tenant"),
    scopes: jsonOf<ReadonlyArray<KeyScope>>(),
    kind: text,
    status: text,
    last_used_at: nullable(timestamptz),
    expires_at: nullable(timestamptz),
    created_at: timestamptz,
    revoked_at: nullable(timestamptz)
  }
})
