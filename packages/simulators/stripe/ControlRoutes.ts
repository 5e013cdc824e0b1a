import type { CallLog } from "../kit/CallLog.ts"
import { logAndFaults, refused } from "../kit/Control.ts"
import type { Faults } from "../kit/Faults.ts"
import { jsonOf, ok, type RouteList, recordOf } from "../kit/Routes.ts"
import type { Account } from "./account/Account.ts"
import type { Charges } from "./account/ChargeView.ts"

const unknownCharge = refused("charge: the payment's id at Stripe, or yours")

/** The control routes, which the product never calls: those of the bridge's simulator, disputes and outcomes. */
export const controlRoutes = (account: Account, charges: Charges, log: CallLog, faults: Faults): RouteList => [
  ...logAndFaults(log, faults),
  ["GET /charges", () => ok({ charges: charges.list.map(({ client_secret: _, ...charge }) => charge) })],
  [
    "POST /refunds",
    ({ body }) => {
      const charge = charges.refund(String(recordOf(jsonOf(body)).charge))
      return charge === undefined ? unknownCharge : ok({ status: charge.status })
    }
  ],
  [
    "POST /late-payments",
    ({ body }) => {
      const charge = charges.payLate(String(recordOf(jsonOf(body)).charge))
      return charge === undefined ? unknownCharge : ok({ status: charge.status })
    }
  ],
  [
    "POST /disputes",
    ({ body }) => {
      const { charge, outcome } = recordOf(jsonOf(body))
      const end = outcome === "won" || outcome === "lost" ? outcome : undefined
      const disputed = charges.dispute(String(charge), end)
      if (disputed === undefined) return unknownCharge
      return ok({ status: disputed.charge.status, dispute: disputed.dispute })
    }
  ],
  [
    "POST /outcomes",
    ({ body }) => {
      const { id, status } = recordOf(jsonOf(body))
      const name = String(id)
      const dispute = account.disputes.objects.get(name)
      if (dispute !== undefined && (status === "won" || status === "lost")) {
        account.disputes.close(dispute, status)
        return ok({ status: dispute.status })
      }
      if (status !== "succeeded" && status !== "failed") {
        return refused("status: succeeded or failed; won or lost of a dispute")
      }
      const refund = account.refunds.objects.get(name)
      if (refund !== undefined) {
        account.refunds.end(refund, status)
        return ok({ status: refund.status })
      }
      const intent = charges.find(name)
      if (intent === undefined) return refused("id: of a payment, a refund or a dispute")
      account.intents.authenticate(intent, status === "succeeded")
      return ok({ status: charges.shown(intent).status })
    }
  ],
  [
    "POST /webhook-url",
    ({ body }) => {
      const { url } = recordOf(jsonOf(body))
      if (typeof url !== "string" || !URL.canParse(url)) return refused("url: where webhooks go")
      account.events.aim(url)
      return ok({ ok: true })
    }
  ]
]
