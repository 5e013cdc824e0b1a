import { Ids } from "@carteiro/owners/Ids.ts"
import { batch, defineOwner, longCall, type OwnerHandle } from "@carteiro/owners/Owner.ts"
import { Effect, Schema } from "effect"
import { CountedNumbers } from "../../tenancy/CountedNumbers.ts"
import { HostedActs, StoredReply } from "../account/AccountAct.ts"
import type { AccountGround } from "../account/AccountUnit.ts"
import { ChargeRepo } from "../charges/ChargeRepo.ts"
import { buyPackages, PackagePurchase, PurchaseBegun, readPurchases } from "../decisions/BuyPackage.ts"
import { CardCommand, commandCards } from "../decisions/CardCommands.ts"
import { ActCall, decideActs, readActs } from "../decisions/DecideActs.ts"
import {
  beginSubscriptions,
  commandPlans,
  PlanCommand,
  PlanSubscription,
  readPlanFacts,
  readSubscribing,
  SubscriptionBegun
} from "../decisions/PlanCommands.ts"
import { AutoTopupSetting, setAutoTopups } from "../decisions/SetAutoTopup.ts"
import { PixTopup, topUpByPix } from "../decisions/TopUpByPix.ts"
import { PlanCatalogRepo } from "../plans/PlanCatalogRepo.ts"
import { RateCardRepo } from "../prices/RateCardRepo.ts"
import { TopupRepo } from "../topups/TopupRepo.ts"
import { WalletRepo } from "../wallet/WalletRepo.ts"
import { makeAccountWork } from "./AccountWork.ts"
import { awaitAnswer, lookAtCharges } from "./ChargeLooks.ts"
import { makeChargeQueues, type OwnedAccount } from "./ChargeQueue.ts"
import { makeLoading } from "./LoadAccount.ts"

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

/** Hosts the owners of wallets. */
export const billingAccountOwners = BillingAccountEntity.toLayer(
  Effect.gen(function* () {
    const wallets = yield* WalletRepo
    const charges = yield* ChargeRepo
    const topups = yield* TopupRepo
    const ids = yield* Ids
    const acts = yield* HostedActs
    const load = yield* makeLoading(yield* makeChargeQueues)
    const work = yield* makeAccountWork
    const planDeps = {
      catalog: yield* PlanCatalogRepo,
      prices: yield* RateCardRepo,
      countNumbers: yield* CountedNumbers
    }

    const groundOf = ({ account }: OwnedAccount, now: number): AccountGround => ({
      account,
      now,
      mintId: (at) => ids.mint("led", at),
      mint: (prefix, at) => ids.mint(prefix, at)
    })

    return {
      load,
      work: (state: OwnedAccount, owner: OwnerHandle) => work(state, owner, (now) => groundOf(state, now)),
      handlers: {
        Act: {
          read: (calls, state: OwnedAccount, owner) => readActs(calls, state, owner.now(), acts, wallets),
          decide: (_calls, facts, state: OwnedAccount, _owner, now) => decideActs(facts, state, groundOf(state, now))
        },
        BuyPackage: {
          read: (purchases, state: OwnedAccount, owner) =>
            readPurchases(purchases, state, owner.now(), topups, charges),
          decide: (purchases, facts, state: OwnedAccount, owner, now) =>
            buyPackages(purchases, facts, state, owner, groundOf(state, now))
        },
        TopUpByPix: {
          decide: (asked, _facts, state: OwnedAccount, owner, now) =>
            topUpByPix(asked, state, owner, groundOf(state, now))
        },
        CommandCard: {
          decide: (commands, _facts, state: OwnedAccount, owner, now) =>
            commandCards(commands, state, owner, groundOf(state, now))
        },
        BeginSubscription: {
          read: (wishes, _state: OwnedAccount, owner) =>
            readSubscribing(wishes, planDeps, owner.id, owner.now(), charges),
          decide: (wishes, facts, state: OwnedAccount, owner, now) =>
            beginSubscriptions(wishes, facts, state, owner, groundOf(state, now))
        },
        CommandPlan: {
          read: (_commands, _state: OwnedAccount, owner) => readPlanFacts(planDeps, owner.id, owner.now()),
          decide: (commands, facts, state: OwnedAccount, owner, now) =>
            commandPlans(commands, facts, state, owner, groundOf(state, now))
        },
        SetAutoTopup: {
          decide: (settings, _facts, state: OwnedAccount, _owner, now) =>
            setAutoTopups(settings, state, groundOf(state, now))
        },
        LookAtCharge: {
          decide: (looks, _facts, state: OwnedAccount, owner, now) => lookAtCharges(looks, state, owner, now)
        },
        AwaitCharge: {
          run: ({ charge_id }, state: OwnedAccount, owner) => awaitAnswer(charge_id, state, owner, charges)
        }
      }
    }
  })
)
