import { dayMs, formatTimestamp, formatTimestampOrNull } from "@carteiro/schema/conventions/Timestamp.ts"
import type {
  NumprovConnection,
  NumprovOperation,
  NumprovResource
} from "@carteiro/schema/provider-connections/NumprovConnection.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import type { numprovColumns, numprovInstants, operationColumns, resourceColumns } from "./NumprovTables.ts"

/** A row of `numprov_operations`, without secrets; instants are epoch milliseconds. */
export type StoredOperation = SelectedRow<typeof operationColumns>

/** A row of `numprov_connections`, without secrets. */
export interface StoredNumprov extends SelectedRow<typeof numprovColumns>, SelectedRow<typeof numprovInstants> {
  readonly webhook_secret_configured: boolean
}

/** A row of `numprov_resources`. */
export interface StoredResource extends SelectedRow<typeof resourceColumns> {
  readonly id: string
}

/** The most attempts of an operation before the provider counts as unavailable. */
const mostTries = 5
const firstPauseMs = 1000
/** The longest pause, also when the provider asks for a longer one. */
const mostPauseMs = 30_000

/** Returns when an operation is retried after that many failed attempts; undefined when it is not. */
export const triesAgainAt = (tries: number, now: number, retryAfterMs: number | null): number | undefined =>
  tries >= mostTries
    ? undefined
    : now + Math.max(firstPauseMs * 3 ** (tries - 1), Math.min(retryAfterMs ?? 0, mostPauseMs))

/** Returns the operation as reads show it. M-IMP-18 */
export const readOperation = (row: StoredOperation): NumprovOperation => ({
  id: row.id,
  object: "numprov_operation",
  kind: row.kind,
  status: row.status,
  error_code: row.error_code,
  created_at: formatTimestamp(row.created_at),
  completed_at: formatTimestampOrNull(row.completed_at)
})

/** Returns the connection with its latest operation. */
export const readNumprov = (row: StoredNumprov, latest: StoredOperation | undefined): NumprovConnection => ({
  id: row.id,
  object: "numprov_connection",
  status: row.status,
  display_name: row.display_name,
  account_id: row.account_id,
  environment: row.environment,
  credential_last_four: row.credential_last_four,
  webhook_secret_configured: row.webhook_secret_configured,
  latest_operation: latest === undefined ? null : readOperation(latest),
  last_discovered_at: formatTimestampOrNull(row.last_discovered_at),
  created_at: formatTimestamp(row.created_at),
  updated_at: formatTimestamp(row.updated_at),
  disconnected_at: formatTimestampOrNull(row.disconnected_at)
})

/** Returns a number of the account as reads show it. */
export const readResource = (row: StoredResource): NumprovResource => ({
  id: row.id,
  object: "numprov_resource",
  provider_number_id: row.id,
  phone: row.phone,
  status: row.status,
  sms: row.sms,
  observed_at: formatTimestamp(row.observed_at)
})

/** How long a listed number counts as current, in milliseconds. gaps-2 L "Number-provider connections" */
const freshMs = dayMs

/** True when a number may be imported, by its last listing. M-IMP-05, M-IMP-15 */
export const isImportable = ({ observed_at, status }: StoredResource, now: number): boolean =>
  status === "active" && now - observed_at <= freshMs

/** Returns a new account, which its owner has not proven. M-IMP-17 */
export const newNumprov = (
  connection: Pick<StoredNumprov, "environment_id" | "environment" | "id">,
  named: Pick<StoredNumprov, "display_name" | "account_id">,
  secret: { readonly credential_last_four: string | null; readonly webhook_secret: unknown },
  now: number
): StoredNumprov => ({
  ...connection,
  ...named,
  status: "pending",
  credential_last_four: secret.credential_last_four,
  webhook_secret_configured: secret.webhook_secret !== null,
  last_discovered_at: null,
  created_at: now,
  updated_at: now,
  disconnected_at: null
})

/** Returns the account without its credentials. */
export const disconnectedNumprov = (connection: StoredNumprov, now: number): StoredNumprov => ({
  ...connection,
  status: "disconnected",
  webhook_secret_configured: false,
  updated_at: now,
  disconnected_at: now
})

/** Returns a new operation, which its owner carries out. */
export const newOperation = (
  numprov_connection_id: string,
  id: string,
  kind: StoredOperation["kind"],
  created_at: number
): StoredOperation => ({
  id,
  numprov_connection_id,
  kind,
  status: "pending",
  error_code: null,
  created_at,
  completed_at: null
})

/** Returns the last operation of a connection in its final state when the connection ends. */
export const endedBy = (operation: StoredOperation, completed_at: number): StoredOperation =>
  operation.status === "pending"
    ? { ...operation, status: "failed", error_code: "numprov_connection_unavailable", completed_at }
    : operation
