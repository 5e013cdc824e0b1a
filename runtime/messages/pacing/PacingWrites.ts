import { defineUpdate, rowOf } from "@carteiro/tables/TableWrite.ts"
import { defineWrite } from "@carteiro/tables/Write.ts"

const slotTarget = rowOf("allowance_slots", "environment_id", "business_id", "customer_key")
const pacingTarget = rowOf("number_pacing", "environment_id", "business_id")

/**
 * A send goes under its recipient's slot, which is opened when there is none that lives: exactly 24 hours from then,
 * however many follow. gaps-2 D "Which sends use a slot"
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
        then excluded.expires_at else s.expires_at end`,
  target: slotTarget
})

/**
 * A send under a slot did not happen, or the upstream refused it: with the last of them the slot is free again. Hands
 * back when it would have ended, in epoch milliseconds. gaps-2 D "Which sends use a slot"
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
    returning s.business_id || ' ' || s.customer_key || ' ' || (extract(epoch from s.expires_at) * 1000)::int8 as key`,
  returns: true,
  target: slotTarget
})

/** A number with held messages looks again at that instant at the latest. Architecture, section 2 rule 2 */
export const paceAt = defineWrite({
  name: "number_pacing.due",
  columns: { environment_id: "text", business_id: "text", due_at: "timestamptz" },
  sql: (source) => `insert into number_pacing as p (environment_id, business_id, due_at)
    select r.environment_id, r.business_id, min(r.due_at) from ${source} r group by 1, 2 order by 1, 2
    on conflict (environment_id, business_id) do update set due_at = least(p.due_at, excluded.due_at)`,
  target: pacingTarget
})

/**
 * Held messages of a number are looked at once more at that instant, as tier or quality have changed or a recipient
 * wrote; a number without any has nothing to look at. gaps-2 D "How pacing holds and releases"
 */
export const hastenPacing = defineUpdate({
  name: "number_pacing.hasten",
  table: "number_pacing",
  key: { environment_id: "text", business_id: "text" },
  set: { due_at: "timestamptz" },
  values: { due_at: "least(t.due_at, r.due_at)" },
  where: "t.due_at is not null",
  target: pacingTarget
})

/** Changes of pacing that other rooms decide. Each returns a row for their commit. */
export const pacingChanges = { hasten: hastenPacing.row } as const

/** The release loop ran: it runs again at that instant while anything is held. */
export const settlePacing = defineUpdate({
  name: "number_pacing.settle",
  table: "number_pacing",
  key: { environment_id: "text", business_id: "text" },
  set: { due_at: "timestamptz" },
  values: {
    due_at: `case when exists (select 1 from messages m where m.business_id = t.business_id
      and m.environment_id = t.environment_id and m.status = 'queued'
      and m.status_reason = 'messaging_limit_pacing' and m.due_at is null) then r.due_at end`
  },
  target: pacingTarget
})
