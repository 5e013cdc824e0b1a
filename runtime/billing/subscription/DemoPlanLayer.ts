import { Commit } from "@carteiro/owners/Commit.ts"
import { Effect, Layer } from "effect"
import { PlanCatalogRepo } from "../plans/PlanCatalogRepo.ts"
import { DemoPlan } from "./DemoPlan.ts"
import { begun } from "./Payment.ts"
import { scheduled } from "./SubscriptionClock.ts"
import { SubscriptionRepo } from "./SubscriptionRepo.ts"
import { transitionRows } from "./SubscriptionWrites.ts"

/** The plan of the demo organization. Boot contract, "Ready" */
const demoPlan = "plo_growth"
const rail = "cardproc_card"

export const demoPlanLayer = Layer.effect(
  DemoPlan,
  Effect.gen(function* () {
    const repo = yield* SubscriptionRepo
    const catalog = yield* PlanCatalogRepo
    const commit = yield* Commit
    return DemoPlan.of({
      begin: Effect.fnUntraced(function* (account_id, now) {
        const plan = (yield* catalog.byId).get(demoPlan)
        const { status } = yield* repo.read(account_id)
        if (plan === undefined || status !== "none") return
        const begins = begun({ billing_rail: rail, plan_offering_id: plan.id }, now)
        const inForce = { plan_offering_id: plan.id, effective_from: now }
        const transition = { subscription: scheduled(begins, undefined), plan: inForce }
        const rows = transitionRows(transition, { account_id, now })
        yield* Effect.orDie(commit.write(rows))
      })
    })
  })
).pipe(Layer.provide(Layer.merge(SubscriptionRepo.layer, PlanCatalogRepo.layer)))
