import { defineWrite } from "../../platform/commit/Write.ts"

const target = (row: { readonly id: string | null }) => `device_authorizations/${row.id}`

/** A new request, unless its user code is taken by a live one. gaps-1 E "Codes and id" */
export const insertDevice = defineWrite({
  name: "device_authorizations.insert",
  columns: {
    id: "text",
    device_code_hash: "bytea",
    user_code: "text",
    client_name: "text",
    environment_kind: "text",
    scopes: "text",
    key_expires_at: "timestamptz",
    source_ip: "text",
    interval_seconds: "int4",
    created_at: "timestamptz",
    expires_at: "timestamptz"
  },
  returns: true,
  sql: (source) => `insert into device_authorizations (id, device_code_hash, user_code, client_name, environment_kind,
      scopes, key_expires_at, source_ip, interval_seconds, created_at, expires_at)
    select r.id, r.device_code_hash, r.user_code, r.client_name, r.environment_kind, r.scopes, r.key_expires_at,
      r.source_ip, r.interval_seconds, r.created_at, r.expires_at
    from ${source} r
    on conflict do nothing
    returning id as key`
})

/**
 * When the client last polled, and how long it must wait now, unless another poll came since the one that was seen: of
 * polls at the same moment one is in time. gaps-1 E "Polling too fast"
 */
export const pollDevice = defineWrite({
  name: "device_authorizations.poll",
  columns: {
    id: "text",
    interval_seconds: "int4",
    at: "timestamptz",
    seen_interval: "int4",
    seen_at: "timestamptz"
  },
  returns: true,
  target,
  guard: (asked) => `select r.unit from ${asked} r join device_authorizations d on d.id = r.id
    where d.interval_seconds = r.seen_interval and d.last_polled_at is not distinct from r.seen_at
    order by d.id for update of d`,
  sql: (source) => `update device_authorizations d set last_polled_at = r.at, interval_seconds = r.interval_seconds
    from ${source} r where d.id = r.id
    returning d.id as key`
})

/** What an owner or admin decided, while the request is open. A-DEV-18, A-DEV-19 */
export const decideDevice = defineWrite({
  name: "device_authorizations.decide",
  columns: {
    id: "text",
    status: "text",
    at: "timestamptz",
    member_id: "text",
    organization_id: "text",
    project_id: "text",
    environment_id: "text",
    granted_scopes: "text"
  },
  returns: true,
  target,
  guard: (asked) => `select r.unit from ${asked} r join device_authorizations d on d.id = r.id
    where d.status = 'pending' and d.expires_at > r.at order by d.id for update of d`,
  sql: (source) => `update device_authorizations d set status = r.status, decided_at = r.at, decided_by = r.member_id,
      organization_id = r.organization_id, project_id = r.project_id, environment_id = r.environment_id,
      granted_scopes = r.granted_scopes
    from ${source} r where d.id = r.id
    returning d.id as key`
})

/** The one poll that mints: whoever takes the row first wins, with the key of the same commit. A-DEV-17 */
export const redeemDevice = defineWrite({
  name: "device_authorizations.redeem",
  columns: { id: "text", api_key_id: "text", at: "timestamptz" },
  returns: true,
  target,
  guard: (asked) => `select r.unit from ${asked} r join device_authorizations d on d.id = r.id
    where d.status = 'approved' and d.expires_at > r.at order by d.id for update of d`,
  sql: (source) => `update device_authorizations d set status = 'redeemed', redeemed_at = r.at,
      api_key_id = r.api_key_id, last_polled_at = r.at
    from ${source} r where d.id = r.id
    returning d.id as key`
})

/** An approval that no longer holds ends as a denial. gaps-1 E "Minting moment and lost answers", A-DEV-24 */
export const lapseDevice = defineWrite({
  name: "device_authorizations.lapse",
  columns: { id: "text" },
  target,
  sql: (source) => `update device_authorizations d set status = 'denied' from ${source} r
    where d.id = r.id and d.status = 'approved'`
})
