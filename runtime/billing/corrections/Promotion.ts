import { Ids } from "@carteiro/owners/Ids.ts"
import { Context, Effect, Layer } from "effect"
import { StartingCredit } from "../../access/Access.ts"
import { insertPromotion } from "./CorrectionWrites.ts"

/** The credit of a new organization, in 1/10,000 BRL. Boot contract, `CARTEIRO_PROMOTION_CREDIT_BRL` */
export const PromotionCredit = Context.Reference<number>("@carteiro/runtime/billing/corrections/PromotionCredit", {
  defaultValue: () => 0
})

/**
 * Gives a new organization the promotion's credit; without credit, its production environment starts blocked. gaps-3 D
 * "production_blocked"
 */
export const startingCredit = Layer.effect(
  StartingCredit,
  Effect.gen(function* () {
    const amount = yield* PromotionCredit
    const ids = yield* Ids
    const credit = (organization_id: string, at: number) =>
      insertPromotion.row({ organization_id, topup_id: ids.mint("ctu", at), id: ids.mint("led", at), amount, at })
    return { isBlocked: amount <= 0, rows: (id, at) => (amount > 0 ? [credit(id, at)] : []) }
  })
)
