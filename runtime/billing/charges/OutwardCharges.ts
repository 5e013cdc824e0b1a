import type { OutwardWork } from "../../restore/OutwardWork.ts"

/** Charges by card and Pix. Their provider knows each by our id, so that a released one is never taken twice. */
const charges: OutwardWork = {
  kind: "charges",
  table: "charges",
  scope: "account_id",
  waits: "t.state = 'open' and t.account_id like 'org\\_%'"
}

/** Renewals of plans. Each makes a charge of its own: look at the processor before one is released. */
const renewals: OutwardWork = {
  kind: "renewals",
  table: "subscriptions",
  scope: "account_id",
  id: "account_id",
  waits: "t.status in ('active', 'past_due') and t.account_id like 'org\\_%'"
}

/** The money of organizations that is about to be taken. */
export const outwardCharges: ReadonlyArray<OutwardWork> = [charges, renewals]
