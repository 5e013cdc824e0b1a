import type { KeyScope } from "@carteiro/schema/conventions/Access.ts"
import { bytes, defaulted, defineTable, int4, jsonOf, nullable, text, timestamptz } from "@carteiro/tables/Table.ts"
import { people } from "../../erasure/Standings.ts"

/** Sign-ins of the command line that wait for a member's decision. */
export const deviceAuthorizationsTable = defineTable("device_authorizations", {
  owner: "access",
  erasure: people,
  reset: { leaves: "they belong to the keys that they made" },
  key: ["id"],
  columns: {
    id: text,
    device_code_hash: bytes("hash of a code"),
    user_code: text,
    client_name: text,
    environment_kind: text,
    scopes: jsonOf<ReadonlyArray<KeyScope>>(),
    key_expires_at: nullable(timestamptz),
    source_ip: text,
    status: defaulted(text),
    interval_seconds: int4,
    last_polled_at: nullable(timestamptz),
    created_at: timestamptz,
    expires_at: timestamptz,
    decided_at: nullable(timestamptz),
    decided_by: nullable(text),
    organization_id: nullable(text),
    project_id: nullable(text),
    environment_id: nullable(text),
    granted_scopes: nullable(jsonOf<ReadonlyArray<KeyScope>>()),
    redeemed_at: nullable(timestamptz),
    api_key_id: nullable(text)
  }
})
