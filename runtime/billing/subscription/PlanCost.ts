import type { CatalogPlan } from "../plans/PlanRead.ts"
import { change, subscribe } from "./PlanChange.ts"
import type { Subscription } from "./Subscription.ts"

/** The present cost of a plan; the amount in 1/10,000 BRL. gaps-3 E "Subscribe details", "Change details" */
export interface PlanCost {
  readonly plan: CatalogPlan
  /** `now`: charged at once; `renewal`: the plan applies when the period ends; `current`: it is in force. */
  readonly when: "now" | "renewal" | "current" | "refused"
  readonly amount: number
}

/**
 * Returns the cost of each plan for a customer who pays by card, before limits are checked. Instants in epoch
 * milliseconds.
 */
export const planCosts = (
  subscription: Subscription,
  plans: ReadonlyMap<string, CatalogPlan>,
  now: number
): ReadonlyArray<PlanCost> => {
  const context = { plans, phones: 0, open: undefined, hasCard: true, now }
  const begins = subscription.status === "none" || subscription.status === "canceled"
  return [...plans.values()].map((plan): PlanCost => {
    if (!begins && plan.id === subscription.plan_offering_id) return { plan, when: "current", amount: 0 }
    const wished = begins
      ? subscribe(subscription, { plan_offering_id: plan.id, rail: "cardproc_card" }, context)
      : change(subscription, plan.id, context)
    if ("refusal" in wished) return { plan, when: "refused", amount: 0 }
    const amount = wished.draft?.amount ?? 0
    return { plan, when: wished.draft === undefined ? "renewal" : "now", amount }
  })
}
