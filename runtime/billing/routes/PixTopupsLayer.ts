import { idempotencyWindowMs } from "@carteiro/owners/Idempotency.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { PlatformPix } from "@carteiro/provider/payments/PixCharges.ts"
import { topupBounds } from "@carteiro/schema/billing/AutoTopup.ts"
import { BillingProviderNotConfigured, InvalidBillingRequest } from "@carteiro/schema/billing/BillingErrors.ts"
import { Effect, Layer } from "effect"
import { ChargeRepo } from "../charges/ChargeRepo.ts"
import { BillingAccountEntity } from "../owner/BillingAccountEntity.ts"
import { readTopup } from "../topups/TopupRead.ts"
import { TopupRepo } from "../topups/TopupRepo.ts"
import { PixTopups } from "./PixTopups.ts"

const unitsPerCentavo = 100

export const pixTopupsLayer = Layer.effect(
  PixTopups,
  Effect.gen(function* () {
    const accounts = yield* BillingAccountEntity.client
    const repo = yield* TopupRepo
    const charges = yield* ChargeRepo
    const ids = yield* Ids
    const provider = yield* PlatformPix
    const read = (accountId: string, id: string) =>
      Effect.map(repo.find(accountId, id), (row) => (row === undefined ? undefined : readTopup(row)))
    return PixTopups.of({
      read,
      begin: Effect.fnUntraced(function* (accountId, amount, now, request) {
        if (
          !Number.isSafeInteger(amount) ||
          amount % unitsPerCentavo !== 0 ||
          amount < topupBounds.least ||
          amount > topupBounds.most
        ) {
          return yield* new InvalidBillingRequest({ param: "amount_brl" })
        }
        if (accountId.startsWith("org_") && provider === undefined) {
          return yield* new BillingProviderNotConfigured({ message: "No Pix provider is set up here; pay by card." })
        }
        const minted = ids.mint("ctu", now)
        yield* accounts.TopUpByPix(accountId, { topup_id: minted, amount, request })
        const keys = request === undefined ? [] : [request.key]
        const [begun] = yield* charges.requested(accountId, keys, now - idempotencyWindowMs)
        const topup_id = begun?.id ?? minted
        // After a timeout the code is shown later.
        yield* Effect.ignore(accounts.AwaitCharge(accountId, { charge_id: topup_id }))
        return (yield* read(accountId, topup_id)) ?? (yield* Effect.die(new Error(`no top-up ${topup_id}`)))
      })
    })
  })
)
