import type { OutwardWork } from "../../restore/OutwardWork.ts"

// A create may have left before the loss: it is looked up by our id, and made only when that proves its absence.
const release = `step = case when t.step = 'create' then 'find' else t.step end,
  called_at = coalesce(t.called_at, t.created_at), doubt_at = coalesce(t.doubt_at, h.held_at)`

/** Payments at the Pix providers that have a step to take. */
export const outwardPayments: ReadonlyArray<OutwardWork> = [
  {
    kind: "payments",
    table: "payment_requests",
    scope: "environment_id",
    waits: "t.environment = 'production' and t.step is not null",
    release
  },
  {
    kind: "agentic-payments",
    table: "agentic_payments",
    scope: "environment_id",
    waits: "t.step is not null and t.account_id like 'org\\_%'",
    release
  },
  {
    kind: "authorizations",
    table: "agentic_authorizations",
    scope: "environment_id",
    waits: "t.step is not null and t.provider_connection_id is not null",
    release
  }
]
