import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { Effect, Layer } from "effect"
import { CardRepo } from "../cards/CardRepo.ts"
import { saveCard, saveCustomer } from "../cards/CardWrites.ts"
import { WalletRepo } from "../wallet/WalletRepo.ts"
import { CardCollection } from "./CardCollection.ts"
import { DemoCard } from "./DemoCard.ts"

/** The card of the simulated processor whose charges succeed. Boot contract, "Ready" */
const card = "pm_card_ok"

export const demoCardLayer = Layer.effect(
  DemoCard,
  Effect.gen(function* () {
    const repo = yield* CardRepo
    const collection = yield* CardCollection
    const commit = yield* Commit
    const ids = yield* Ids
    const collect = Effect.fnUntraced(function* (account_id: string, now: number) {
      const { cards } = yield* repo.all(account_id)
      if (cards.length > 0) return
      const asking = { organization_id: account_id, environment_id: "", environment: "production" } as const
      const { customer, ...look } = yield* collection.take(asking, card, now)
      const id = ids.mint("bpm", now)
      const at = { created_at: now, updated_at: now }
      yield* commit.write([
        saveCard.row({ ...look, ...at, account_id, id, status: "active" }),
        saveCustomer.row({ account_id, customer, default_payment_method_id: id, created_at: now })
      ])
    })
    return DemoCard.of({ save: (accountId, now) => Effect.ignore(collect(accountId, now)) })
  })
).pipe(Layer.provide(CardCollection.layer), Layer.provide(Layer.merge(CardRepo.layer, WalletRepo.layer)))
