import type { ApiKey, ApiKeyWithSecret } from "@carteiro/schema/access/ApiKey.ts"
import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { formatTimestamp, formatTimestampOrNull } from "@carteiro/schema/conventions/Timestamp.ts"
import { readJson } from "@carteiro/tables/StoredJson.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import type { keyColumns, keyInstants } from "./ApiKeyTables.ts"

/** A row of `api_keys` with the kind of its environment; instants are epoch milliseconds. */
export interface ApiKeyRow extends SelectedRow<typeof keyColumns>, SelectedRow<typeof keyInstants> {
  readonly environment: EnvironmentKind
}

/** Returns the key as reads show it. A-KEY-01..07 */
export const readApiKey = (row: ApiKeyRow): ApiKey => ({
  id: row.id,
  object: "api_key",
  name: row.name,
  key_prefix: row.key_prefix,
  scopes: readJson(row.scopes),
  kind: row.kind,
  status: row.status,
  environment: row.environment,
  last_used_at: formatTimestampOrNull(row.last_used_at),
  expires_at: formatTimestampOrNull(row.expires_at),
  created_at: formatTimestamp(row.created_at),
  revoked_at: formatTimestampOrNull(row.revoked_at)
})

/** Returns the key with its secret, as only the responses of create and rotate show it. A-KEY-07 */
export const readApiKeyWithSecret = (row: ApiKeyRow, secret: string): ApiKeyWithSecret => ({
  ...readApiKey(row),
  secret
})
