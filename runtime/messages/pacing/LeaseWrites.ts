import { defineUpdate, rowOf } from "@carteiro/tables/TableWrite.ts"
import { defineWrite } from "@carteiro/tables/Write.ts"

const table = "portfolio_leases"
const key = { portfolio_id: "text", business_id: "text" } as const
const target = rowOf(table, "portfolio_id", "business_id")

/** Above every allowance: a quota that was never confirmed is not to be used. */
const unconfirmed = 2_147_483_647

/**
 * Raises the quota of a number, never lowers it. The allowance under which it was confirmed stays when the quota is not
 * confirmed. Decision 0150
 */
export const raiseQuota = defineWrite({
  name: "portfolio_leases.raise",
  columns: {
    ...key,
    quota: "int4",
    /** Null for a quota that is not confirmed. */
    allowance: "int4",
    cap: "int4",
    short_at: "timestamptz",
    /** Null unless the number itself is recalled. */
    recalled_at: "timestamptz"
  },
  sql: (source) => `insert into ${table} as t (portfolio_id, business_id, quota, allowance, cap, short_at, recalled_at)
    select r.portfolio_id, r.business_id, r.quota, coalesce(r.allowance, ${unconfirmed}), r.cap, r.short_at, r.recalled_at
    from ${source} r order by r.portfolio_id, r.business_id
    on conflict (portfolio_id, business_id) do update set quota = greatest(t.quota, excluded.quota),
      allowance = case when excluded.allowance = ${unconfirmed} then t.allowance else excluded.allowance end,
      cap = excluded.cap, short_at = excluded.short_at, recalled_at = coalesce(excluded.recalled_at, t.recalled_at),
      left_at = null, revision = t.revision + 1`,
  target
})

/** Asks a number for what it does not use; it opens nothing beyond the cap. */
export const recallLease = defineUpdate({
  name: "portfolio_leases.recall",
  table,
  key,
  set: { cap: "int4", recalled_at: "timestamptz" },
  values: { revision: "t.revision + 1" },
  target
})

/** Records that a number was seen to have left the portfolio; its slots there end within a day. */
export const leavePortfolio = defineUpdate({
  name: "portfolio_leases.leave",
  table,
  key,
  set: { left_at: "timestamptz" },
  values: { left_at: "coalesce(t.left_at, r.left_at)" },
  target
})

/** Forgets a lease of a number whose slots in the portfolio have ended. */
export const forgetLease = defineWrite({
  name: "portfolio_leases.forget",
  columns: key,
  sql: (source) => `delete from ${table} t using ${source} r
    where t.portfolio_id = r.portfolio_id and t.business_id = r.business_id`,
  target
})

/**
 * Returns the part of a quota that a number does not use. Only its owner does, after it lowered its memory; when the
 * lease changed since it was read, nothing is written. Decision 0150
 */
export const returnQuota = defineUpdate({
  name: "portfolio_leases.return",
  table,
  key,
  beside: { from_revision: "int4" },
  set: { quota: "int4" },
  values: { quota: "least(t.quota, r.quota)", recalled_at: "null", revision: "t.revision + 1" },
  where: "t.revision = r.from_revision",
  target
})

const slotTarget = rowOf("allowance_slots", "environment_id", "business_id", "customer_key")

/**
 * Counts a send under the live slot of another number of the portfolio. When that slot has ended or was given back,
 * nothing of the unit is written. Decision 0150
 */
export const lendSlot = defineUpdate({
  name: "allowance_slots.lend",
  table: "allowance_slots",
  key: { environment_id: "text", business_id: "text", customer_key: "text" },
  beside: { at: "timestamptz" },
  values: { uses: "t.uses + 1" },
  guard: "t.lender_id is null and t.expires_at > r.at",
  target: slotTarget
})

/**
 * Opens the slot of a number that shares another one's and ends with it, or counts one more use of its live one.
 * Decision 0150
 */
export const shareSlot = defineWrite({
  name: "allowance_slots.share",
  columns: {
    environment_id: "text",
    business_id: "text",
    customer_key: "text",
    lender_id: "text",
    expires_at: "timestamptz"
  },
  sql: (
    source
  ) => `insert into allowance_slots as s (environment_id, business_id, customer_key, expires_at, uses, lender_id)
    select r.environment_id, r.business_id, r.customer_key, r.expires_at, 1, r.lender_id
    from ${source} r order by r.environment_id, r.business_id, r.customer_key
    on conflict (environment_id, business_id, customer_key) do update set
      uses = case when s.expires_at < excluded.expires_at then 1 else s.uses + 1 end,
      lender_id = case when s.expires_at < excluded.expires_at then excluded.lender_id else s.lender_id end,
      expires_at = greatest(s.expires_at, excluded.expires_at)`,
  target: slotTarget
})
