import { Ids } from "@carteiro/owners/Ids.ts"
import { PaymentMethodNotFound } from "@carteiro/schema/billing/BillingErrors.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Context, Effect, Layer } from "effect"
import { CardRepo } from "../cards/CardRepo.ts"
import { BillingAccountEntity } from "../owner/BillingAccountEntity.ts"
import type { TopupView } from "../topups/TopupRead.ts"
import { TopupRepo } from "../topups/TopupRepo.ts"
import { CardCollection } from "./CardCollection.ts"

/** An automatic top-up as people set it; amounts in 1/10,000 BRL. */
interface AutoTopupChoice {
  readonly enabled: boolean
  readonly threshold: number
  readonly amount: number
  readonly payment_method_id: string | null
}

/** What people of the dashboard and operators do with an organization's own account: the same as its production keys. */
export class BillingActions extends Context.Service<
  BillingActions,
  {
    /** Buys a package by card, the default one when none is named; answers it as it stands once the processor was asked. C-PKG-11..13 */
    buy(organizationId: string, code: string, cardId: string | null, now: number): Effect.Effect<TopupView, ApiError>
    /** Saves a card that the processor has collected. C-CARD-08 */
    saveCard(organizationId: string, card: string, isDefault: boolean, now: number): Effect.Effect<void, ApiError>
    chooseCard(organizationId: string, id: string): Effect.Effect<void, ApiError>
    removeCard(organizationId: string, id: string): Effect.Effect<void, ApiError>
    setAutoTopup(organizationId: string, choice: AutoTopupChoice): Effect.Effect<void, ApiError>
    /** Subscribes by the default card; answers the invoice. C-PLAN-13 */
    subscribe(organizationId: string, offeringId: string, now: number): Effect.Effect<string, ApiError>
    changePlan(organizationId: string, offeringId: string): Effect.Effect<void, ApiError>
    cancelPlan(organizationId: string): Effect.Effect<void, ApiError>
  }
>()("@carteiro/runtime/billing/routes/BillingActions") {
  static readonly layer = Layer.effect(
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
        cancelPlan: (organizationId) =>
          Effect.asVoid(accounts.CommandPlan(organizationId, { _tag: "Cancel", ...call() }))
      })
    })
  )
}
