import { insertInto, rowOf, updateOf } from "@carteiro/tables/TableWrite.ts"
import { defineWrite } from "@carteiro/tables/Write.ts"
import { type NumberTrigger, statusesBefore } from "./NumberState.ts"
import { numberRostersTable, numprovEnrollmentsTable, phoneNumbersTable } from "./NumberTables.ts"

const table = "phone_numbers"
const key = { environment_id: "text", id: "text" } as const
const target = rowOf(table, "id")

const isBefore = (source: "numprov" | "byon", trigger: NumberTrigger): string =>
  `t.source = '${source}' and t.status in (${statusesBefore(source, trigger)
    .map((status) => `'${status}'`)
    .join(", ")})`

/** The initial health of a sandbox number. gaps-2 K "Health sweep" */
const snapshot = {
  quality_rating: "'green'",
  messaging_tier: "'tier_1k'",
  messaging_limit_tier: "'TIER_1K'",
  upstream_throughput_tier: "'2'",
  upstream_quality_rating: "'GREEN'"
}

/**
 * Inserts a number; when its phone or its id at the chat platform is live already, nothing of the unit is written.
 * `simulated` gives it the health of a sandbox number. gaps-2 K "Connect rules"
 */
export const insertNumber = defineWrite({
  name: "phone_numbers.insert_live",
  columns: {
    ...key,
    environment: "text",
    source: "text",
    status: "text",
    display_name: "text",
    ddd: "text",
    phone: "text",
    upstream_phone_number_id: "text",
    biz_account_id: "text",
    throughput_plan: "text",
    monthly_fee: "int8",
    simulated: "bool",
    due_at: "timestamptz",
    activated_at: "timestamptz",
    created_at: "timestamptz"
  },
  claims: "id",
  target: (row) => [
    `${table}/${row.id}`,
    `phone/${row.phone ?? row.id}`,
    `upstream/${row.upstream_phone_number_id ?? row.id}`
  ],
  sql: (source) => `insert into ${table} (environment_id, id, environment, source, status, display_name, ddd, phone,
      upstream_phone_number_id, biz_account_id, throughput_plan, monthly_fee, quality_rating, messaging_tier, messaging_limit_tier,
      upstream_throughput_tier, upstream_quality_rating, verified_name, upstream_health_synced_at, due_at, activated_at,
      created_at, updated_at)
    select r.environment_id, r.id, r.environment, r.source, r.status, r.display_name, r.ddd, r.phone,
      r.upstream_phone_number_id, r.biz_account_id, r.throughput_plan, r.monthly_fee,
      case when r.simulated then ${snapshot.quality_rating} else 'unknown' end,
      case when r.simulated then ${snapshot.messaging_tier} else 'unknown' end,
      case when r.simulated then ${snapshot.messaging_limit_tier} end,
      case when r.simulated then ${snapshot.upstream_throughput_tier} end,
      case when r.simulated then ${snapshot.upstream_quality_rating} end,
      case when r.simulated then coalesce(r.display_name, 'Sandbox Sender') end,
      case when r.simulated then r.created_at end, r.due_at, r.activated_at, r.created_at, r.created_at
    from ${source} r on conflict do nothing returning id as key`
})

/** Inserts the row that versions the count of an account's numbers. */
export const beginRoster = insertInto(numberRostersTable, {
  columns: ["account_id"],
  conflict: { on: ["account_id"] }
})

/** Increases the version; when another number was added since the count, nothing of the unit is written. */
export const countRoster = updateOf(numberRostersTable, {
  name: "number_rosters.count",
  beside: { version: "int8" },
  values: { version: "t.version + 1" },
  guard: "t.version = r.version"
})

/** Requests the release of a rented number. The order's owner then returns a delivered number to the provider. */
export const requestRelease = updateOf(phoneNumbersTable, {
  name: "phone_numbers.request_release",
  set: ["updated_at"],
  values: {
    status: "'release_requested'",
    due_at:
      "case when t.environment = 'production' and t.provider_number_id is not null then null else r.updated_at end"
  },
  guard: isBefore("numprov", "request_release"),
  returning: "t.id",
  target
})

/** Records that the provider has taken a number back. */
export const completeRelease = updateOf(phoneNumbersTable, {
  name: "phone_numbers.release",
  set: ["updated_at"],
  values: { status: "'released'", released_at: "r.updated_at", due_at: "null" },
  guard: isBefore("numprov", "release"),
  target
})

/** Disconnects a customer's own number and ends its management. */
export const disconnectNumber = updateOf(phoneNumbersTable, {
  name: "phone_numbers.disconnect",
  set: ["updated_at"],
  values: { status: "'disconnected'", due_at: "null" },
  guard: isBefore("byon", "disconnect"),
  returning: "t.id",
  target
})

/** Begins the management of a number of the customer's own account. M-PHN-05 */
export const insertEnrollment = insertInto(numprovEnrollmentsTable, {
  columns: [
    "environment_id",
    "id",
    "phone_number_id",
    "provider_connection_id",
    "provider_number_id",
    "terms_version",
    "enrolled_at"
  ],
  values: { status: "'active'" }
})

/** Ends the management of an imported number, if it has not ended. */
export const endEnrollment = updateOf(numprovEnrollmentsTable, {
  name: "numprov_enrollments.end",
  key: ["phone_number_id"],
  set: ["ended_at"],
  values: { status: "'ended'" },
  where: "t.status <> 'ended'",
  target: rowOf("numprov_enrollments", "phone_number_id")
})

/**
 * Ends the management of a number: it sends through its owner's account again, also the messages that management held
 * back. M-IMP-13
 */
export const convertNumber = updateOf(phoneNumbersTable, {
  name: "phone_numbers.convert",
  set: ["updated_at"],
  values: { suspended_at: "null" },
  guard: `exists (select 1 from numprov_enrollments m where m.phone_number_id = t.id and m.status <> 'ended')
    and t.status not in ('released', 'disconnected')`,
  returning: "t.id",
  target
})

/**
 * Sets the instant from which an imported number sends nothing because its management is not covered; null while it is
 * unknown. Without a live enrollment in this environment nothing of the unit is written. C-PMGT-10
 */
export const suspendNumber = updateOf(phoneNumbersTable, {
  name: "phone_numbers.suspend",
  set: ["suspended_at"],
  guard: `t.status not in ('failed', 'released', 'disconnected') and exists (
      select 1 from numprov_enrollments m where m.phone_number_id = t.id and m.status <> 'ended')`,
  target
})

/** Guards a commit on a rented number: when it is no longer in service, nothing of the unit is written. */
export const keepRented = updateOf(phoneNumbersTable, {
  name: "phone_numbers.keep_rented",
  values: { updated_at: "t.updated_at" },
  guard: "t.source = 'numprov' and t.status = 'active'",
  target
})

/** Makes a waiting number active; values that are unknown stay unchanged. gaps-2 K "State machine" */
export const activateNumber = updateOf(phoneNumbersTable, {
  name: "phone_numbers.activate",
  set: ["updated_at"],
  beside: { from_status: "text", biz_account_id: "text" },
  values: {
    status: "'active'",
    biz_account_id: "coalesce(r.biz_account_id, t.biz_account_id)",
    activated_at: "coalesce(t.activated_at, r.updated_at)",
    verification_code: "null",
    due_at: "null"
  },
  guard: "t.status = r.from_status",
  target
})

/** Marks a number as failed after its wait. */
export const failNumber = updateOf(phoneNumbersTable, {
  name: "phone_numbers.fail",
  set: ["error_code", "error_message", "updated_at"],
  beside: { from_status: "text" },
  values: { status: "'failed'", due_at: "null" },
  guard: "t.status = r.from_status",
  target
})

/** Sets when a number is due next. */
export const lookAgainAt = updateOf(phoneNumbersTable, {
  name: "phone_numbers.look_again",
  set: ["due_at"],
  beside: { from_status: "text" },
  where: "t.status = r.from_status",
  target
})

/**
 * Makes the numbers of an environment that wait for a connection due now, after one was made. Imported numbers wait
 * once their id at the platform is known. gaps-2 K "State machine"
 */
export const hastenVerifying = defineWrite({
  name: "phone_numbers.hasten_verifying",
  columns: { environment_id: "text", due_at: "timestamptz" },
  returns: true,
  target: rowOf("verifying_numbers", "environment_id"),
  sql: (source) => `update ${table} t set due_at = least(t.due_at, r.due_at) from ${source} r
    where t.environment_id = r.environment_id and t.source = 'byon'
      and (t.status = 'verifying' or t.status = 'provisioned' and t.upstream_phone_number_id is not null)
    returning t.id as key`
})
