import { defineWorker } from "@carteiro/owners/Worker.ts"
import { PlatformPix } from "@carteiro/provider/payments/PixCharges.ts"
import { Effect } from "effect"
import { vendorOwners } from "../../vendor-webhooks/VendorOwners.ts"
import { ChargeRepo } from "../charges/ChargeRepo.ts"
import { BillingAccountEntity } from "./BillingAccountEntity.ts"

/**
 * The owner of notices about the service's own Pix account that do not name a charge by our id; there is one, `platform`.
 * It asks the vendor what they are about, and decides nothing.
 */
export const PlatformPixNoticesEntity = defineWorker("PlatformPixNotices")

/** The most charges of one notice. */
const mostNamed = 256

/** Hosts the owner: each notice makes its charges due for a look-up. gaps-3 G "Trust in webhook content" */
export const platformPixNoticesOwners = vendorOwners(
  PlatformPixNoticesEntity,
  Effect.gen(function* () {
    const accounts = yield* BillingAccountEntity.client
    const charges = yield* ChargeRepo
    const pix = yield* PlatformPix
    return Effect.fnUntraced(function* ({ body }: { readonly body: Uint8Array }) {
      const ids = pix?.notices === undefined ? [] : yield* pix.notices.about(body)
      if (ids === undefined) return "again"
      for (const id of ids.slice(0, mostNamed)) {
        const account = yield* charges.accountOf(id)
        if (account !== undefined) yield* Effect.orDie(accounts.LookAtCharge(account, { charge_id: id }))
      }
      return
    })
  })
)
