import { rowOf } from "@carteiro/tables/TableWrite.ts"
import { defineWrite } from "@carteiro/tables/Write.ts"

/**
 * Copies the live slots of a number to its new environment, because the allowance belongs to the number; they last there
 * as long as they would have here. The copies left behind expire by themselves; a slot that was shared in the former
 * environment counts by itself in the new one. gaps-2 D "Daily new-recipient allowance"
 */
export const carrySlots = defineWrite({
  name: "allowance_slots.carry",
  columns: {
    environment_id: "text",
    business_id: "text",
    target_environment_id: "text",
    ahead_ms: "int8",
    at: "timestamptz"
  },
  sql: (source) => `insert into allowance_slots as s (environment_id, business_id, customer_key, expires_at, uses)
    select r.target_environment_id, l.business_id, l.customer_key,
      l.expires_at + r.ahead_ms * interval '1 millisecond', l.uses
    from ${source} r join allowance_slots l on l.business_id || '' = r.business_id and l.expires_at > r.at
      and l.environment_id = r.environment_id
    order by r.target_environment_id, l.business_id, l.customer_key
    on conflict (environment_id, business_id, customer_key) do update set
      expires_at = excluded.expires_at, uses = excluded.uses, lender_id = null`,
  target: rowOf("number_slots", "business_id")
})
