import type { OutwardWork } from "../../restore/OutwardWork.ts"

/** Orders of numbers on their way. An order that may have reached the provider is looked up before it is placed. */
export const outwardOrders: OutwardWork = {
  kind: "orders",
  table: "phone_number_orders",
  scope: "environment_id",
  waits: "t.environment = 'production' and t.step is not null",
  release: `step = case when t.step = 'order' then 'find' else t.step end,
    placed_at = coalesce(t.placed_at, t.decided_at)`
}
