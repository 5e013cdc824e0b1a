import { rowOf, updateOf } from "@carteiro/tables/TableWrite.ts"
import { defineWrite } from "@carteiro/tables/Write.ts"
import { allowanceSlotsTable, portfolioLeasesTable } from "./PacingTables.ts"

const table = "portfolio_leases"
const key = { portfolio_id: "text", business_id: "text" } as const
const target = rowOf(table, "portfolio_id", "business_id")

/** Above every allowance: a quota that was never confirmed is not to be used. */
const unconfirmed = 2_147_483_647

/** Requests slots for a number. Its quota stays until the portfolio's owner decides. Decision 0150 */
export const requestQuota = defineWrite({
  name: "portfolio_leases.request",
  columns: {
    ...key,
    needed: "int4",
    wanted: "int4",
    /** The portfolio's allowance as the number knows it. */
    request_allowance: "int4",
    requested_at: "timestamptz"
  },
  sql: (source) => `insert into ${table} as t (portfolio_id, business_id, quota, allowance, needed, wanted,
      request_allowance, requested_at, due_at)
    select r.portfolio_id, r.business_id, 0, ${unconfirmed}, r.needed, r.wanted, r.request_allowance, r.requested_at,
      r.requested_at from ${source} r order by r.portfolio_id, r.business_id
    on conflict (portfolio_id, business_id) do update set needed = excluded.needed, wanted = excluded.wanted,
      request_allowance = excluded.request_allowance, requested_at = excluded.requested_at, due_at = excluded.due_at`,
  target
})

/**
 * Writes the decision about a request. It raises the quota and never lowers it. A request that came meanwhile stays due.
 * Decision 0150
 */
export const decideRequest = updateOf(portfolioLeasesTable, {
  name: "portfolio_leases.decide",
  beside: { from_requested_at: "timestamptz" },
  set: ["quota", "allowance", "limit_revision", "cap", "short_at", "recalled_at", "due_at"],
  values: {
    quota: "greatest(t.quota, r.quota)",
    allowance: "coalesce(r.allowance, t.allowance)",
    limit_revision: "coalesce(r.limit_revision, t.limit_revision)",
    recalled_at: "coalesce(r.recalled_at, t.recalled_at)",
    is_recalled: "t.is_recalled or r.recalled_at is not null",
    left_at: "null",
    due_at: "case when t.requested_at is not distinct from r.from_requested_at then r.due_at else t.due_at end"
  }
})

/** Recalls what a number does not use; it opens nothing beyond the cap. */
export const recallLease = updateOf(portfolioLeasesTable, {
  name: "portfolio_leases.recall",
  set: ["cap", "recalled_at"],
  values: { is_recalled: "true" }
})

/** Records that a number was seen to have left the portfolio; its slots there end within a day. */
export const leavePortfolio = updateOf(portfolioLeasesTable, {
  name: "portfolio_leases.leave",
  set: ["left_at"],
  values: { left_at: "coalesce(t.left_at, r.left_at)", due_at: "null" }
})

/** Forgets a lease of a number whose slots in the portfolio have ended. */
export const forgetLease = defineWrite({
  name: "portfolio_leases.forget",
  columns: key,
  sql: (source) => `delete from ${table} t using ${source} r
    where t.portfolio_id = r.portfolio_id and t.business_id = r.business_id`,
  target
})

/** Returns the part of a quota that a number does not use. Only its owner does, after it lowered its memory. Decision 0150 */
export const returnQuota = updateOf(portfolioLeasesTable, {
  name: "portfolio_leases.return",
  set: ["quota"],
  values: { quota: "least(t.quota, r.quota)", is_recalled: "false" }
})

const slotTarget = rowOf("allowance_slots", "environment_id", "business_id", "customer_key")

/**
 * Counts a send under the live slot of another number of the portfolio. When that slot has ended or was given back,
 * nothing of the unit is written. Decision 0150
 */
export const lendSlot = updateOf(allowanceSlotsTable, {
  name: "allowance_slots.lend",
  beside: { at: "timestamptz" },
  values: { uses: "t.uses + 1" },
  guard: "t.lender_id is null and t.expires_at > r.at"
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
