import type { PixCheckout, Subscription as ShownSubscription } from "@carteiro/schema/billing/Plans.ts"
import { formatBrl } from "@carteiro/schema/conventions/Money.ts"
import { formatTimestamp, formatTimestampOrNull } from "@carteiro/schema/conventions/Timestamp.ts"
import type { Charge } from "../charges/Charge.ts"
import { type CatalogPlan, readTerms } from "../plans/PlanRead.ts"
import { freeTier } from "../plans/PlanTerms.ts"
import type { MeterPrice } from "../prices/Price.ts"
import type { Subscription } from "./Subscription.ts"

/**
 * Returns the id of an account's subscription, which exists from the account's creation on. gaps-3 A "Resources printed
 * without id"
 */
const subscriptionId = (accountId: string): string => `sub_${accountId.slice(accountId.indexOf("_") + 1)}`

/** Returns a subscription as reads show it; without a plan it shows the free tier. C-PLAN-02..10 */
export const readSubscription = (
  accountId: string,
  subscription: Subscription,
  plan: CatalogPlan | undefined,
  transport: MeterPrice
): ShownSubscription => ({
  id: subscriptionId(accountId),
  object: "subscription",
  status: subscription.status,
  plan_offering_id: plan?.id ?? null,
  display_name: plan?.display_name ?? null,
  billing_rail: subscription.billing_rail,
  ...readTerms(plan ?? freeTier, transport),
  monthly_fee_brl: plan === undefined ? null : formatBrl(plan.monthly_fee),
  current_period_end: formatTimestampOrNull(subscription.current_period_end),
  cancel_at_period_end: subscription.cancel_at_period_end
})

/** Returns the Pix code of an invoice; undefined until the provider has answered. gaps-3 E "Subscribe details" */
export const readPixCheckout = (charge: Charge): PixCheckout | undefined => {
  const { amount, expires_at, pix_copy_paste, pix_expires_at, pix_qr_code_base64, provider_charge_id } = charge
  if (provider_charge_id === null) return undefined
  return {
    pixprov2_charge_id: provider_charge_id,
    amount_brl: formatBrl(amount),
    pix_copy_paste,
    pix_qr_code_base64,
    expires_at: formatTimestamp(pix_expires_at ?? expires_at)
  }
}

/** Returns the response to a subscribe request. C-PLAN-13 */
export const readCheckout = (subscription: ShownSubscription, pix: PixCheckout | null) => ({
  id: subscription.id,
  object: "subscription_checkout",
  subscription,
  pix
})
