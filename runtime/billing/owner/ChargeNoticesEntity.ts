import { defineWorker } from "@carteiro/owners/Worker.ts"
import { Effect } from "effect"
import { readProviderEvent } from "../../vendor-webhooks/ProviderWebhooks.ts"
import { vendorOwners } from "../../vendor-webhooks/VendorOwners.ts"
import { BillingAccountEntity } from "./BillingAccountEntity.ts"

/** The owner of the providers' notices about the charges of one account, whose id it has; it decides nothing. */
export const ChargeNoticesEntity = defineWorker("ChargeNotices")

/** Hosts the owners: each notice makes its charge due for a look-up. gaps-3 G "Trust in webhook content" */
export const chargeNoticesOwners = vendorOwners(
  ChargeNoticesEntity,
  Effect.map(BillingAccountEntity.client, (accounts) => ({ body, subject }) => {
    const { external_id } = readProviderEvent(body).data
    return typeof external_id === "string"
      ? Effect.orDie(accounts.LookAtCharge(subject, { charge_id: external_id }))
      : Effect.void
  })
)
