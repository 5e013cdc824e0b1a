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
 * The owner of one wallet: an organization's (`org_…`), or a sandbox environment's (`env_…`). Only this owner moves the
 * wallet: usage, holds, charges and top-ups reach it one after another.
 */
export const BillingAccountEntity = defineOwner("BillingAccount", {
  /** Decides an act of a room, see `AccountAct`; request and result are in the form that its schemas encode. */
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
  /** Changes or cancels a subscription. C-PLAN-17, C-PLAN-20 */
  CommandPlan: batch(PlanCommand, StoredReply),
  /** Looks up a charge at its provider after a notice that it changed. gaps-3 G "Trust in webhook content" */
  LookAtCharge: batch(Schema.Struct({ charge_id: Schema.String }), Schema.Boolean),
  /** Waits for the first answer about a charge, no longer than a request may; false when none came. */
  AwaitCharge: longCall(Schema.Struct({ charge_id: Schema.String }), Schema.Boolean, { timeoutMs: 18_000 })
})
