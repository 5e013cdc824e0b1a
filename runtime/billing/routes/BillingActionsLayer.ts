import { Ids } from "@carteiro/owners/Ids.ts"
import { PaymentMethodNotFound } from "@carteiro/schema/billing/BillingErrors.ts"
import { Effect, Layer } from "effect"
import { CardRepo } from "../cards/CardRepo.ts"
import { BillingAccountEntity } from "../owner/BillingAccountEntity.ts"
import { TopupRepo } from "../topups/TopupRepo.ts"
import { BillingActions } from "./BillingActions.ts"
import { CardCollection } from "./CardCollection.ts"

export const billingActionsLayer = Layer.effect(
  BillingActions,
  Effect.gen(function* () {
    const accounts = yield* BillingAccountEntity.client
    const collection = yield* CardCollection
    const cards = yield* CardRepo
    const topups = yield* TopupRepo
    const ids = yield* Ids
    const call = () => ({ traceId: ids.traceId(), claim: undefined })
    const asking = (organization_id: string) => ({
      organization_id,
      environment_id: "",
      environment: "production" as const
    })
    return BillingActions.of({
      buy: Effect.fnUntraced(function* (organizationId, package_code, payment_method_id, now) {
        const { topup_id } = yield* accounts.BuyPackage(organizationId, {
          topup_id: ids.mint("ctu", now),
          package_code,
          payment_method_id,
          request: undefined
        })
        yield* Effect.ignore(accounts.AwaitCharge(organizationId, { charge_id: topup_id }))
        const topup = yield* topups.find(organizationId, topup_id)
        return topup ?? (yield* Effect.die(new Error(`no top-up ${topup_id}`)))
      }),
      saveCard: Effect.fnUntraced(function* (organizationId, card, set_default, now) {
        const collected = yield* collection.take(asking(organizationId), card, now)
        const id = ids.mint("bpm", now)
        yield* accounts.CommandCard(organizationId, { _tag: "Save", ...collected, id, set_default, ...call() })
      }),
      chooseCard: (organizationId, id) =>
        Effect.asVoid(accounts.CommandCard(organizationId, { _tag: "SetDefault", id, ...call() })),
      removeCard: Effect.fnUntraced(function* (organizationId, id) {
        const card = (yield* cards.all(organizationId)).cards.find((one) => one.id === id)
        if (card === undefined) return yield* new PaymentMethodNotFound()
        if (card.status === "active") yield* collection.giveBack(asking(organizationId), card.card)
        yield* accounts.CommandCard(organizationId, { _tag: "Delete", id, ...call() })
      }),
      setAutoTopup: (organizationId, choice) =>
        Effect.asVoid(accounts.SetAutoTopup(organizationId, { ...choice, ...call() })),
      subscribe: Effect.fnUntraced(function* (organizationId, plan_offering_id, now) {
        const { invoice_id } = yield* accounts.BeginSubscription(organizationId, {
          plan_offering_id,
          rail: "cardproc_card",
          invoice_id: ids.mint("inv", now),
          request: undefined
        })
        yield* Effect.ignore(accounts.AwaitCharge(organizationId, { charge_id: invoice_id }))
        return invoice_id
      }),
      changePlan: (organizationId, plan_offering_id) =>
        Effect.asVoid(accounts.CommandPlan(organizationId, { _tag: "Change", plan_offering_id, ...call() })),
      cancelPlan: (organizationId) => Effect.asVoid(accounts.CommandPlan(organizationId, { _tag: "Cancel", ...call() }))
    })
  })
)
