import { Ids } from "@carteiro/owners/Ids.ts"
import { PlatformPix } from "@carteiro/provider/payments/PixCharges.ts"
import { BillingProviderNotConfigured, InvalidBillingRequest } from "@carteiro/schema/billing/BillingErrors.ts"
import type { ListedTopup } from "@carteiro/schema/billing/CreditTopup.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Context, Effect, Layer } from "effect"
import { BillingAccountEntity } from "../owner/BillingAccountEntity.ts"
import { readTopup } from "../topups/TopupRead.ts"
import { TopupRepo } from "../topups/TopupRepo.ts"

/** What one top-up by Pix or by itself may add, in 1/10,000 BRL. gaps-3 E "Auto top-up bounds" */
export const topupBounds = { least: 20_0000, most: 10_000_0000 }
const unitsPerCentavo = 100

/** Cash top-ups by Pix: no route makes them, people of the dashboard do. gaps-3 E "Top-up transitions" */
export class PixTopups extends Context.Service<
  PixTopups,
  {
    /** Begins one of an account (`org_…` or `env_…`), amount in 1/10,000 BRL; answers it with its code, where that came in time. */
    begin(accountId: string, amount: number, now: number): Effect.Effect<ListedTopup, ApiError>
    /** How it stands. */
    read(accountId: string, id: string): Effect.Effect<ListedTopup | undefined>
  }
>()("@carteiro/runtime/billing/routes/PixTopups") {
  static readonly layer = Layer.effect(
    PixTopups,
    Effect.gen(function* () {
      const accounts = yield* BillingAccountEntity.client
      const repo = yield* TopupRepo
      const ids = yield* Ids
      const provider = yield* PlatformPix
      const read = (accountId: string, id: string) =>
        Effect.map(repo.find(accountId, id), (row) => (row === undefined ? undefined : readTopup(row)))
      return PixTopups.of({
        read,
        begin: Effect.fnUntraced(function* (accountId, amount, now) {
          if (
            !Number.isSafeInteger(amount) ||
            amount % unitsPerCentavo !== 0 ||
            amount < topupBounds.least ||
            amount > topupBounds.most
          ) {
            return yield* new InvalidBillingRequest({ param: "amount_brl" })
          }
          if (accountId.startsWith("org_") && provider === undefined) return yield* new BillingProviderNotConfigured()
          const topup_id = ids.mint("ctu", now)
          yield* accounts.TopUpByPix(accountId, { topup_id, amount })
          // Whoever waits in vain is shown the code later.
          yield* Effect.ignore(accounts.AwaitCharge(accountId, { charge_id: topup_id }))
          return (yield* read(accountId, topup_id)) ?? (yield* Effect.die(new Error(`no top-up ${topup_id}`)))
        })
      })
    })
  )
}
