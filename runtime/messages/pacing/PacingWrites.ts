import { rowOf, updateOf } from "@carteiro/tables/TableWrite.ts"
import { defineWrite } from "@carteiro/tables/Write.ts"
import { numberPacingTable } from "./PacingTables.ts"

const slotTarget = rowOf("allowance_slots", "environment_id", "business_id", "customer_key")
const pacingTarget = rowOf("number_pacing", "environment_id", "business_id")

/**
 * Counts a send under its recipient's slot, and opens a slot when there is no live one: it lasts exactly 24 hours,
 * however many sends follow. gaps-2 D "Which sends use a slot"
 */
export const useSlot = defineWrite({
  name: "allowance_slots.use",
  columns: {
    environment_id: "text",
    business_id: "text",
    customer_key: "text",
    expires_at: "timestamptz"
  },
  sql: (source) => `insert into allowance_slots as s (environment_id, business_id, customer_key, expires_at, uses)
    select r.environment_id, r.business_id, r.customer_key, r.expires_at, 1
    from ${source} r order by r.environment_id, r.business_id, r.customer_key
    on conflict (environment_id, business_id, customer_key) do update set
      uses = case when s.expires_at <= excluded.expires_at - interval '24 hours' then 1 else s.uses + 1 end,
      expires_at = case when s.expires_at <= excluded.expires_at - interval '24 hours'
        then excluded.expires_at else s.expires_at end,
      lender_id = case when s.expires_at > excluded.expires_at - interval '24 hours' then s.lender_id end`,
  target: slotTarget
})

/**
 * Takes back a send that did not happen or that the upstream refused; the last one frees the slot. Returns when the
 * slot would have ended, in epoch milliseconds, unless it counts at another number. gaps-2 D "Which sends use a slot"
 */
export const giveBackSlot = defineWrite({
  name: "allowance_slots.give_back",
  columns: { environment_id: "text", business_id: "text", customer_key: "text" },
  before: [
    {
      name: "allowance_slots_used_less",
      sql: (source) => `update allowance_slots s set uses = s.uses - 1 from ${source} r
        where s.environment_id = r.environment_id and s.business_id = r.business_id
          and s.customer_key = r.customer_key and s.uses > 1`
    }
  ],
  sql: (source) => `delete from allowance_slots s using ${source} r
    where s.environment_id = r.environment_id and s.business_id = r.business_id
      and s.customer_key = r.customer_key and s.uses <= 1
    returning case when s.lender_id is null then s.business_id || ' ' || s.customer_key || ' '
      || (extract(epoch from s.expires_at) * 1000)::int8 end as key`,
  returns: true,
  target: slotTarget
})

/** Makes a number with held messages due at that instant at the latest. */
export const paceAt = defineWrite({
  name: "number_pacing.due",
  columns: { environment_id: "text", business_id: "text", due_at: "timestamptz" },
  sql: (source) => `insert into number_pacing as p (environment_id, business_id, due_at)
    select r.environment_id, r.business_id, min(r.due_at) from ${source} r group by 1, 2 order by 1, 2
    on conflict (environment_id, business_id) do update set due_at = least(p.due_at, excluded.due_at)`,
  target: pacingTarget
})

/**
 * Makes held messages of a number due at that instant, because tier or quality changed or a recipient wrote; does
 * nothing for a number without any. gaps-2 D "How pacing holds and releases"
 */
export const hastenPacing = updateOf(numberPacingTable, {
  name: "number_pacing.hasten",
  set: ["due_at"],
  values: { due_at: "least(t.due_at, r.due_at)" },
  where: "t.due_at is not null"
})

/** Changes of pacing on which other rooms decide. Each returns a row for their commit. */
export const pacingChanges = { hasten: hastenPacing.row } as const

/** Schedules the release loop's next run at that instant while messages are held. */
export const settlePacing = updateOf(numberPacingTable, {
  name: "number_pacing.settle",
  set: ["due_at"],
  values: {
    due_at: `case when exists (select 1 from messages m where m.business_id = t.business_id
      and m.environment_id = t.environment_id and m.status = 'queued'
      and m.status_reason = 'messaging_limit_pacing' and m.due_at is null) then r.due_at end`
  }
})
