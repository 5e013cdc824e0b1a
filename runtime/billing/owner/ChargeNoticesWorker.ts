import { defineWorker } from "@carteiro/owners/Worker.ts"
import { CardWebhooks } from "@carteiro/provider/payments/CardProvider.ts"
import { Effect } from "effect"
import { readProviderEvent } from "../../vendor-webhooks/ProviderWebhooks.ts"
import { vendorOwners } from "../../vendor-webhooks/VendorOwners.ts"
import { noticedCharge } from "../charges/ChargeNotice.ts"
import { ChargeRepo } from "../charges/ChargeRepo.ts"
import { BillingAccountEntity } from "./BillingAccountEntity.ts"

/** The owner of the providers' notices about the charges of one account, whose id it has; it decides nothing. */
export const ChargeNoticesWorker = defineWorker("ChargeNotices")

/** Hosts the owners: each notice makes its charge due for a look-up. gaps-3 G "Trust in webhook content" */
export const chargeNoticesOwners = vendorOwners(
  ChargeNoticesWorker,
  Effect.gen(function* () {
    const accounts = yield* BillingAccountEntity.client
    const repo = yield* ChargeRepo
    const cards = yield* CardWebhooks
    return Effect.fnUntraced(function* ({ body, subject, vendor }) {
      const isCard = vendor === "cardproc"
      const event = isCard && cards !== undefined ? cards.read(body) : readProviderEvent(body)
      const charge = yield* noticedCharge(repo, isCard ? "card" : "pix", event)
      if (charge?.account_id === subject) {
        yield* Effect.orDie(accounts.LookAtCharge(subject, { charge_id: charge.id }))
      }
    })
  })
)
