import { Ids } from "@carteiro/owners/Ids.ts"
import type { OwnerHandle } from "@carteiro/owners/Owner.ts"
import { realOf } from "@carteiro/owners/RealTime.ts"
import { Effect } from "effect"
import { CountedNumbers } from "../../tenancy/CountedNumbers.ts"
import { HostedActs } from "../account/AccountAct.ts"
import type { AccountContext } from "../account/AccountUnit.ts"
import { ChargeRepo } from "../charges/ChargeRepo.ts"
import { buyPackages, readPurchases } from "../decisions/BuyPackage.ts"
import { commandCards } from "../decisions/CardCommands.ts"
import { decideActs, readActs } from "../decisions/DecideActs.ts"
import { beginSubscriptions, commandPlans, readPlanFacts, readSubscribing } from "../decisions/PlanCommands.ts"
import { setAutoTopups } from "../decisions/SetAutoTopup.ts"
import { readPixTopups, topUpByPix } from "../decisions/TopUpByPix.ts"
import { PlanCatalogRepo } from "../plans/PlanCatalogRepo.ts"
import { RateCardRepo } from "../prices/RateCardRepo.ts"
import { TopupRepo } from "../topups/TopupRepo.ts"
import { WalletRepo } from "../wallet/WalletRepo.ts"
import { makeAccountWork } from "./AccountWork.ts"
import { BillingAccountEntity } from "./BillingAccountEntity.ts"
import { awaitAnswer, lookAtCharges } from "./ChargeLooks.ts"
import { makeChargeQueues, type OwnedAccount } from "./ChargeQueue.ts"
import { makeLoading } from "./LoadAccount.ts"

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

    const contextOf = ({ account }: OwnedAccount, owner: OwnerHandle, now: number): AccountContext => ({
      account,
      now,
      realNow: realOf(now, owner),
      mintId: (at) => ids.mint("led", at),
      mint: (prefix, at) => ids.mint(prefix, at)
    })

    return {
      load,
      work: (state: OwnedAccount, owner: OwnerHandle) => work(state, owner, (now) => contextOf(state, owner, now)),
      handlers: {
        Act: {
          read: (calls, state: OwnedAccount, owner) => readActs(calls, state, owner.now(), acts, wallets),
          decide: (_calls, facts, state: OwnedAccount, owner, now) =>
            decideActs(facts, state, contextOf(state, owner, now))
        },
        BuyPackage: {
          read: (purchases, state: OwnedAccount, owner) =>
            readPurchases(purchases, state, owner.now(), topups, charges),
          decide: (purchases, facts, state: OwnedAccount, owner, now) =>
            buyPackages(purchases, facts, state, owner, contextOf(state, owner, now))
        },
        TopUpByPix: {
          read: (wanted, _state: OwnedAccount, owner) => readPixTopups(wanted, owner.id, owner.now(), charges),
          decide: (wanted, begun, state: OwnedAccount, owner, now) =>
            topUpByPix(wanted, begun, state, owner, contextOf(state, owner, now))
        },
        CommandCard: {
          decide: (commands, _facts, state: OwnedAccount, owner, now) =>
            commandCards(commands, state, owner, contextOf(state, owner, now))
        },
        BeginSubscription: {
          read: (wishes, _state: OwnedAccount, owner) =>
            readSubscribing(wishes, planDeps, owner.id, owner.now(), charges),
          decide: (wishes, facts, state: OwnedAccount, owner, now) =>
            beginSubscriptions(wishes, facts, state, owner, contextOf(state, owner, now))
        },
        CommandPlan: {
          read: (_commands, _state: OwnedAccount, owner) => readPlanFacts(planDeps, owner.id, owner.now()),
          decide: (commands, facts, state: OwnedAccount, owner, now) =>
            commandPlans(commands, facts, state, owner, contextOf(state, owner, now))
        },
        SetAutoTopup: {
          decide: (settings, _facts, state: OwnedAccount, owner, now) =>
            setAutoTopups(settings, state, contextOf(state, owner, now))
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
