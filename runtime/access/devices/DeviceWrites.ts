import { insertInto, updateOf } from "@carteiro/tables/TableWrite.ts"
import { deviceAuthorizationsTable } from "./DeviceTables.ts"

/** Inserts a request, unless a live request has its user code. gaps-1 E "Codes and id" */
export const insertDevice = insertInto(deviceAuthorizationsTable, {
  columns: [
    "id",
    "device_code_hash",
    "user_code",
    "client_name",
    "environment_kind",
    "scopes",
    "key_expires_at",
    "source_ip",
    "interval_seconds",
    "created_at",
    "expires_at"
  ],
  conflict: "ignore",
  returning: "id"
})

/**
 * Records a poll and the interval that the client must keep, unless another poll came since the read: of concurrent
 * polls one is in time. gaps-1 E "Polling too fast"
 */
export const pollDevice = updateOf(deviceAuthorizationsTable, {
  name: "device_authorizations.poll",
  set: ["interval_seconds", "last_polled_at"],
  beside: { seen_interval: "int4", seen_at: "timestamptz" },
  guard: "t.interval_seconds = r.seen_interval and t.last_polled_at is not distinct from r.seen_at",
  returning: "t.id"
})

/** Writes the decision of an owner or admin, while the request is open. A-DEV-18, A-DEV-19 */
export const decideDevice = updateOf(deviceAuthorizationsTable, {
  name: "device_authorizations.decide",
  set: ["status", "decided_at", "decided_by", "organization_id", "project_id", "environment_id", "granted_scopes"],
  guard: "t.status = 'pending' and t.expires_at > r.decided_at",
  returning: "t.id"
})

/** Ends the request for the poll that mints: the first poll to update the row gets the key of its commit. A-DEV-17 */
export const redeemDevice = updateOf(deviceAuthorizationsTable, {
  name: "device_authorizations.redeem",
  set: ["api_key_id", "redeemed_at"],
  values: { status: "'redeemed'", last_polled_at: "r.redeemed_at" },
  guard: "t.status = 'approved' and t.expires_at > r.redeemed_at",
  returning: "t.id"
})

/** Ends an approval that no longer holds as a denial. gaps-1 E "Minting moment and lost answers", A-DEV-24 */
export const lapseDevice = updateOf(deviceAuthorizationsTable, {
  name: "device_authorizations.lapse",
  values: { status: "'denied'" },
  where: "t.status = 'approved'"
})
