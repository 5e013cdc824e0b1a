import type { Follower } from "@carteiro/owners/Commit.ts"
import { updateOf } from "@carteiro/tables/TableWrite.ts"
import { phoneNumberOrdersTable } from "../order/OrderTables.ts"

const table = "phone_number_orders"
const beside = { phone_number_id: "text", was: "text", at: "timestamptz" } as const

// The release of a number changes its order in the same statement, so the two must not be merged.
const target = (row: {
  readonly environment_id: string | null
  readonly id: string | null
  readonly phone_number_id: string | null
}) => [`${table}/${row.environment_id}/${row.id}`, `phone_numbers/${row.phone_number_id}`]

/** Reserves a step: from now on the provider may have an order, which is looked up if its answer is lost. */
export const reserveRental = updateOf(phoneNumberOrdersTable, {
  name: "phone_number_orders.reserve",
  beside,
  set: ["step", "due_at"],
  values: { placed_at: "case when t.step = 'order' and r.step = 'find' then r.at else t.placed_at end" },
  guard: "t.step = r.was and t.due_at <= r.at",
  returning: "t.id",
  target
})

/**
 * Records the result of a call, unless the order has changed meanwhile. A notice that arrived during the call keeps its
 * effect.
 */
export const recordRental = updateOf(phoneNumberOrdersTable, {
  name: "phone_number_orders.record",
  beside,
  set: [
    "step",
    "step_attempts",
    "step_began_at",
    "failed_count",
    "placed_at",
    "provider_order_id",
    "provider_number_id",
    "returned_at",
    "error_code",
    "error_message",
    "due_at"
  ],
  values: {
    due_at: "case when r.due_at is null then null when t.due_at <= r.at then t.due_at else r.due_at end",
    returned_at: "coalesce(r.returned_at, t.returned_at)"
  },
  guard: "t.step = r.was",
  returning: "t.id",
  target
})

/** Records the account's decision on the first month; the provider's steps remain. M-ORD-17..19 */
export const settleRental = updateOf(phoneNumberOrdersTable, {
  name: "phone_number_orders.settle",
  beside,
  set: ["step", "due_at"],
  values: { ended_at: "r.at", step_attempts: "0", step_began_at: "r.at" },
  guard: "t.step = r.was and t.ended_at is null",
  target
})

/** True for an order that was given up without a known number: a notice about it starts another look-up. */
const isForgotten =
  "t.step is null and t.ended_at is not null and t.placed_at is not null and t.provider_number_id is null"

/** Makes an order due after a notice of the number provider, if a step may remain. */
export const hastenOrder = updateOf(phoneNumberOrdersTable, {
  name: "phone_number_orders.hasten",
  beside: { phone_number_id: "text" },
  set: ["due_at"],
  values: {
    step: `case when ${isForgotten} then 'watch' else t.step end`,
    due_at: "least(t.due_at, r.due_at)"
  },
  where: `t.due_at is not null or (${isForgotten})`,
  returning: "t.id",
  target
})

/** Changes of orders on which other rooms decide. Each returns a row for their commit. */
export const orderChanges = { hasten: hastenOrder.row } as const

/** Makes orders that wait for a connection of their environment due now, after one was made. */
export const connectFollower: Follower = {
  name: "phone_number_orders.hasten_connected",
  returns: true,
  sql: (source) => `update ${table} t set due_at = least(t.due_at, r.due_at) from ${source} r
    where t.environment_id = r.environment_id and t.step in ('order', 'register') and t.due_at > r.due_at
    returning t.id as key`
}

/**
 * Returns a number to the provider after a release request, in the same commit: through the account while the first
 * month is still held. gaps-2 K "Release, disconnect, convert"
 */
export const releaseFollower: Follower = {
  name: "phone_number_orders.give_back",
  returns: true,
  sql: (source) => `update ${table} t
    set step = case when t.ended_at is null then 'fail' else 'give_back' end, step_attempts = 0,
      step_began_at = r.updated_at, due_at = r.updated_at
    from ${source} r where t.phone_number_id = r.id and t.environment = 'production' and t.provider_number_id is not null
    returning t.id as key`
}
