import { Context, Effect, Layer } from "effect"
import { Commit } from "../../platform/commit/Commit.ts"
import { Ids } from "../../platform/ids/Ids.ts"
import { PlanCatalogRepo } from "../plans/PlanCatalogRepo.ts"
import { paid } from "./Payment.ts"
import { feeOf, type Invoice, noSubscription } from "./Subscription.ts"
import { SubscriptionRepo } from "./SubscriptionRepo.ts"
import { openInvoiceRow, transitionRows } from "./SubscriptionWrites.ts"

/** The plan of the demo organization. Boot contract, "Ready" */
const demoPlan = "plo_growth"
const rail = "cardproc_card"

/** Subscribes the demo organization to its plan. Boot contract, "Ready" */
export class DemoPlan extends Context.Service<
  DemoPlan,
  {
    /** As if its first invoice were paid now, for an account that has never subscribed and that nobody owns yet. */
    begin(accountId: string, now: number): Effect.Effect<void>
  }
>()("@carteiro/runtime/billing/subscription/DemoPlan") {
  static readonly layer = Layer.effect(
    DemoPlan,
    Effect.gen(function* () {
      const repo = yield* SubscriptionRepo
      const catalog = yield* PlanCatalogRepo
      const commit = yield* Commit
      const ids = yield* Ids
      return DemoPlan.of({
        begin: Effect.fnUntraced(function* (account_id, now) {
          const plan = (yield* catalog.byId).get(demoPlan)
          const { status } = yield* repo.read(account_id)
          if (plan === undefined || status !== "none") return
          const invoice: Invoice = {
            id: ids.mint("inv", now),
            kind: "first",
            plan_offering_id: plan.id,
            billing_rail: rail,
            charged_by: "card",
            amount: feeOf(plan, rail),
            expires_at: null,
            status: "paid",
            created_at: now
          }
          const place = { account_id, now }
          const rows = [openInvoiceRow(invoice, place), ...transitionRows(paid(noSubscription, invoice, now), place)]
          yield* Effect.orDie(commit.write(rows))
        })
      })
    })
  ).pipe(Layer.provide(Layer.merge(SubscriptionRepo.layer, PlanCatalogRepo.layer)))
}
