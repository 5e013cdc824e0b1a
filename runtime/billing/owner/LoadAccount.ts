import type { OwnerHandle } from "@carteiro/owners/Owner.ts"
import { monthOf } from "@carteiro/spellings/Months.ts"
import { Effect } from "effect"
import { UnpaidMonths } from "../account/UnpaidMonths.ts"
import { CardRepo } from "../cards/CardRepo.ts"
import { ChargeRepo } from "../charges/ChargeRepo.ts"
import { ChargeWaiters } from "../charges/ChargeWaiters.ts"
import { SubscriptionRepo } from "../subscription/SubscriptionRepo.ts"
import { TopupRepo } from "../topups/TopupRepo.ts"
import { Spending } from "../wallet/Spending.ts"
import { WalletRepo } from "../wallet/WalletRepo.ts"
import type { ChargeQueue, OwnedAccount } from "./ChargeQueue.ts"

/** Reads an account into its owner's memory; calls under way and waiting requests survive a reload. */
export const makeLoading = (queueOf: (owner: OwnerHandle) => ChargeQueue) =>
  Effect.gen(function* () {
    const wallets = yield* WalletRepo
    const cardRepo = yield* CardRepo
    const chargeRepo = yield* ChargeRepo
    const topups = yield* TopupRepo
    const subscriptions = yield* SubscriptionRepo
    const unpaid = yield* UnpaidMonths

    return Effect.fnUntraced(function* (
      owner: OwnerHandle,
      _saved: string | undefined,
      before: OwnedAccount | undefined
    ) {
      const account = yield* wallets.open(owner.id, owner.now())
      if (account === undefined) return yield* Effect.die(new Error(`no account ${owner.id}`))
      const { cards, hasUnpaidMonths, open, packages, spending, subscribed } = yield* Effect.all(
        {
          cards: cardRepo.all(owner.id),
          hasUnpaidMonths: unpaid.any(owner.id),
          open: chargeRepo.open(owner.id),
          packages: topups.openPackages(owner.id),
          spending: wallets.spending(account, monthOf(owner.now())),
          subscribed: subscriptions.load(owner.id)
        },
        { concurrency: "unbounded" }
      )
      const { balance, held } = account
      const state: OwnedAccount = {
        account,
        wallet: { balance, held },
        spending: new Spending(spending),
        reservations: new Map(),
        customer: cards.customer,
        cards: new Map(cards.cards.map((card) => [card.id, card])),
        auto: cards.auto,
        isReviewed: false,
        subscription: subscribed.subscription,
        invoices: new Map(subscribed.invoices.map((invoice) => [invoice.id, invoice])),
        packages,
        packagesChanged: false,
        openCharges: new Set(open),
        hasUnpaidMonths,
        charges: before?.charges ?? queueOf(owner),
        waiters: before?.waiters ?? new ChargeWaiters()
      }
      state.charges.follow(owner, state)
      owner.dueAt(owner.now() + 1)
      return state
    })
  })
