import { batch, defineOwner, longCall } from "@carteiro/owners/Owner.ts"
import { Schema } from "effect"
import { StoredReply } from "../account/AccountAct.ts"
import {
  ActCall,
  AutoTopupSetting,
  CardCommand,
  PackagePurchase,
  PixTopup,
  PlanCommand,
  PlanSubscription,
  PurchaseBegun,
  SubscriptionBegun
} from "../account/AccountItems.ts"

/**
 * One wallet: an organization's (`org_…`), or that of a sandbox environment (`env_…`). It alone moves it: what is used, held,
 * charged and topped up comes to it one after another. Architecture, sections 2 and 6
 */
export const BillingAccountEntity = defineOwner("BillingAccount", {
  /** An act of a room, see `AccountAct`: request and result are as its schemas encode them. Architecture, section 6 */
  Act: batch(ActCall, Schema.Unknown),
  /** Begins a purchase; its charge goes to the card processor at once. C-PKG-13 */
  BuyPackage: batch(PackagePurchase, PurchaseBegun),
  /** Begins a top-up that is paid by Pix. gaps-3 E "Top-up transitions" */
  TopUpByPix: batch(PixTopup, Schema.Boolean),
  /** Saves, chooses and deletes cards. C-CARD-08..12 */
  CommandCard: batch(CardCommand, StoredReply),
  /** C-ATOP-02..05 */
  SetAutoTopup: batch(AutoTopupSetting, StoredReply),
  /** Begins a subscription; its charge goes to the provider at once. C-PLAN-13 */
  BeginSubscription: batch(PlanSubscription, SubscriptionBegun),
  /** Changes or cancels it. C-PLAN-17, C-PLAN-20 */
  CommandPlan: batch(PlanCommand, StoredReply),
  /** Somebody says that a charge has changed at its provider. gaps-3 G "Trust in webhook content" */
  LookAtCharge: batch(Schema.Struct({ charge_id: Schema.String }), Schema.Boolean),
  /** Waits for the first answer about a charge, not longer than a request may; false when none came. */
  AwaitCharge: longCall(Schema.Struct({ charge_id: Schema.String }), Schema.Boolean, { timeoutMs: 18_000 })
})
