import type { CallLog } from "../kit/CallLog.ts"
import { logAndFaults, refused } from "../kit/Control.ts"
import type { Faults } from "../kit/Faults.ts"
import { jsonOf, ok, type RouteList, recordOf } from "../kit/Routes.ts"
import type { Accounts } from "./Accounts.ts"
import { type ChargeStatus, type Charges, hasEnded } from "./Charges.ts"

const statuses: ReadonlySet<unknown> = new Set<ChargeStatus>(["approved", "paid", "failed", "expired", "cancelled"])

/** The control routes, which the product never calls: see `README.md`. */
export const pixControl = (log: CallLog, faults: Faults, accounts: Accounts, charges: Charges): RouteList => [
  ...logAndFaults(log, faults),
  [
    "POST /accounts",
    ({ body }) => {
      const { key, webhook_secret, webhook_url } = recordOf(jsonOf(body))
      if (typeof key !== "string" || typeof webhook_secret !== "string" || typeof webhook_url !== "string") {
        return refused("key, webhook_secret and webhook_url")
      }
      accounts.setUp({ key, webhook_secret, webhook_url })
      return ok({ ok: true })
    }
  ],
  [
    "POST /outcomes",
    ({ body }) => {
      const { id, status } = recordOf(jsonOf(body))
      const charge = typeof id === "string" ? charges.any(id) : undefined
      if (charge === undefined) return refused("id: expected the id, external_id or code of a charge")
      if (!statuses.has(status)) return refused("status: expected approved, paid, failed, expired or cancelled")
      const isLate = status === "paid" && hasEnded(charge)
      const moved = isLate ? charges.payLate(charge) : charges.end(charge, status as ChargeStatus)
      return ok({ moved, status: charge.status })
    }
  ]
]
