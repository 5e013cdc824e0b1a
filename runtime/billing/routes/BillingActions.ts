import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Context, type Effect } from "effect"
import type { TopupView } from "../topups/TopupRead.ts"

/** The settings of automatic top-up as the dashboard sends them; amounts in 1/10,000 BRL. */
interface AutoTopupChoice {
  readonly enabled: boolean
  readonly threshold: number
  readonly amount: number
  readonly payment_method_id: string | null
}

/** The dashboard's and operators' actions on an organization's own account, with the rules of its production keys. */
export class BillingActions extends Context.Service<
  BillingActions,
  {
    /**
     * Buys a package by card, the default one when none is named; returns the top-up after the processor's answer.
     * C-PKG-11..13
     */
    buy(organizationId: string, code: string, cardId: string | null, now: number): Effect.Effect<TopupView, ApiError>
    /** Saves a card that the processor has collected. C-CARD-08 */
    saveCard(organizationId: string, card: string, isDefault: boolean, now: number): Effect.Effect<void, ApiError>
    chooseCard(organizationId: string, id: string): Effect.Effect<void, ApiError>
    removeCard(organizationId: string, id: string): Effect.Effect<void, ApiError>
    setAutoTopup(organizationId: string, choice: AutoTopupChoice): Effect.Effect<void, ApiError>
    /** Subscribes with the default card; returns the id of the invoice. C-PLAN-13 */
    subscribe(organizationId: string, offeringId: string, now: number): Effect.Effect<string, ApiError>
    changePlan(organizationId: string, offeringId: string): Effect.Effect<void, ApiError>
    cancelPlan(organizationId: string): Effect.Effect<void, ApiError>
  }
>()("@carteiro/runtime/billing/routes/BillingActions") {}
