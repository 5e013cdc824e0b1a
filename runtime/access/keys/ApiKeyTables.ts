import type { KeyScope } from "@carteiro/schema/conventions/Access.ts"
import { bytes, defineTable, jsonOf, nullable, select, text, textOf, timestamptz } from "@carteiro/tables/Table.ts"
import { tenant } from "../../erasure/Standings.ts"

/** API keys of an environment, by the hash of their secret. */
export const apiKeysTable = defineTable("api_keys", {
  owner: "access",
  erasure: tenant,
  reset: { leaves: "keys stay" },
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
    kind: textOf<"standard" | "agent">(),
    status: textOf<"active" | "revoked">(),
    last_used_at: nullable(timestamptz),
    expires_at: nullable(timestamptz),
    created_at: timestamptz,
    revoked_at: nullable(timestamptz)
  }
})

/** The columns of a key that reads show before the kind of its environment. */
export const keyColumns = select(apiKeysTable, "id", "name", "key_prefix", "scopes", "kind", "status")

/** The instants of a key that reads show. */
export const keyInstants = select(apiKeysTable, "last_used_at", "expires_at", "created_at", "revoked_at")
