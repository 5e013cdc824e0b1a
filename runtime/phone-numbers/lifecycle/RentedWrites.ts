import { rowOf, updateOf } from "@carteiro/tables/TableWrite.ts"
import { goneStatuses } from "../number/NumberState.ts"
import { phoneNumbersTable } from "../number/NumberTables.ts"

const table = "phone_numbers"
const target = rowOf(table, "id")
const isLive = `o.status not in (${goneStatuses.map((status) => `'${status}'`).join(", ")})`

/**
 * Writes the next state of a rented number in setup; the caller has checked that the state machine allows it. gaps-2 K
 * "State machine"
 */
export const advanceNumber = updateOf(phoneNumbersTable, {
  name: "phone_numbers.advance",
  beside: { from_status: "text" },
  set: ["status", "updated_at"],
  guard: "t.status = r.from_status",
  target
})

/**
 * Records a number that the provider delivered; when its phone or its provider id is live elsewhere, nothing of the
 * unit is written. gaps-2 K "Connect rules"
 */
export const deliverNumber = updateOf(phoneNumbersTable, {
  name: "phone_numbers.deliver",
  set: ["phone", "provider_number_id", "updated_at"],
  values: { status: "'provisioned'" },
  guard: `t.status = 'provisioning' and not exists (select 1 from ${table} o
    where o.phone = r.phone and o.id <> t.id and ${isLive}) and not exists (select 1 from ${table} o
    where o.provider_number_id = r.provider_number_id and o.source = 'numprov' and o.id <> t.id and ${isLive})`,
  target: (row) => [`${table}/${row.id}`, `phone/${row.phone}`, `numprov/${row.provider_number_id}`]
})

/** Records the chat platform's id of a number in setup; writes nothing of the unit while another number has that id. */
export const nameUpstream = updateOf(phoneNumbersTable, {
  name: "phone_numbers.name_upstream",
  set: ["upstream_phone_number_id", "biz_account_id", "updated_at"],
  guard: `t.status = 'verifying' and not exists (select 1 from ${table} o
    where o.upstream_phone_number_id = r.upstream_phone_number_id and o.id <> t.id and ${isLive})`,
  target: (row) => [`${table}/${row.id}`, `upstream/${row.upstream_phone_number_id}`]
})

/** Records that the provider took a number back after a release request; changes no other number. */
export const completeReturn = updateOf(phoneNumbersTable, {
  name: "phone_numbers.complete_return",
  set: ["updated_at"],
  values: { status: "'released'", released_at: "r.updated_at", due_at: "null" },
  where: "t.status = 'release_requested'",
  target
})
