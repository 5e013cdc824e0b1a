import type { KeyScope } from "@carteiro/schema/conventions/Access.ts"
import { json } from "@carteiro/tables/StoredJson.ts"
import { defineInsert, defineUpdate, rowOf } from "@carteiro/tables/TableWrite.ts"

const table = "device_authorizations"
const key = { id: "text" } as const
const target = rowOf(table, "id")

/** Inserts a request, unless a live request has its user code. gaps-1 E "Codes and id" */
export const insertDevice = defineInsert({
  table,
  columns: {
    ...key,
    device_code_hash: "bytea",
    user_code: "text",
    client_name: "text",
    environment_kind: "text",
    scopes: json<ReadonlyArray<KeyScope>>(),
    key_expires_at: "timestamptz",
    source_ip: "text",
    interval_seconds: "int4",
    created_at: "timestamptz",
    expires_at: "timestamptz"
  },
  conflict: "ignore",
  returning: "id"
})

/**
 * Records a poll and the interval that the client must keep, unless another poll came since the read: of concurrent
 * polls one is in time. gaps-1 E "Polling too fast"
 */
export const pollDevice = defineUpdate({
  name: "device_authorizations.poll",
  table,
  key,
  set: { interval_seconds: "int4", last_polled_at: "timestamptz" },
  beside: { seen_interval: "int4", seen_at: "timestamptz" },
  guard: "t.interval_seconds = r.seen_interval and t.last_polled_at is not distinct from r.seen_at",
  returning: "t.id",
  target
})

/** Writes the decision of an owner or admin, while the request is open. A-DEV-18, A-DEV-19 */
export const decideDevice = defineUpdate({
  name: "device_authorizations.decide",
  table,
  key,
  set: {
    status: "text",
    decided_at: "timestamptz",
    decided_by: "text",
    organization_id: "text",
    project_id: "text",
    environment_id: "text",
    granted_scopes: json<ReadonlyArray<KeyScope>>()
  },
  guard: "t.status = 'pending' and t.expires_at > r.decided_at",
  returning: "t.id",
  target
})

/** Ends the request for the poll that mints: the first poll to update the row gets the key of its commit. A-DEV-17 */
export const redeemDevice = defineUpdate({
  name: "device_authorizations.redeem",
  table,
  key,
  set: { api_key_id: "text", redeemed_at: "timestamptz" },
  values: { status: "'redeemed'", last_polled_at: "r.redeemed_at" },
  guard: "t.status = 'approved' and t.expires_at > r.redeemed_at",
  returning: "t.id",
  target
})

/** Ends an approval that no longer holds as a denial. gaps-1 E "Minting moment and lost answers", A-DEV-24 */
export const lapseDevice = defineUpdate({
  name: "device_authorizations.lapse",
  table,
  key,
  values: { status: "'denied'" },
  where: "t.status = 'approved'",
  target
})
