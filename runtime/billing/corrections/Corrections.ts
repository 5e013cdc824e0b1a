import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Context, Effect, Layer } from "effect"
import { Commit } from "../../platform/commit/Commit.ts"
import { Ids } from "../../platform/ids/Ids.ts"
import { WalletRepo } from "../wallet/WalletRepo.ts"
import { type Correction, CorrectionRepo } from "./CorrectionRepo.ts"
import { insertCorrection } from "./CorrectionWrites.ts"

/** How operators credit and debit accounts: they ask, and the account's owner posts it. gaps-3 D "production_blocked" */
export class Corrections extends Context.Service<
  Corrections,
  {
    /** Asks for it and answers its id; undefined when nobody has that account. */
    ask(
      accountId: string,
      correction: Omit<Correction, "id"> & { readonly reason: string },
      now: number
    ): Effect.Effect<string | undefined, ApiError>
    /** Whether the owner has posted it. */
    isPosted(accountId: string, id: string): Effect.Effect<boolean>
  }
>()("@carteiro/runtime/billing/corrections/Corrections") {
  static readonly layer = Layer.effect(
    Corrections,
    Effect.gen(function* () {
      const wallets = yield* WalletRepo
      const repo = yield* CorrectionRepo
      const commit = yield* Commit
      const ids = yield* Ids
      return Corrections.of({
        ask: Effect.fnUntraced(function* (accountId, correction, now) {
          const wallet = yield* wallets.open(accountId, now)
          if (wallet === undefined) return undefined
          const id = ids.mint("ctu", now)
          yield* commit.write([insertCorrection.row({ ...correction, account_id: accountId, id, created_at: now })])
          return id
        }),
        isPosted: (accountId, id) => repo.isPosted(accountId, id)
      })
    })
  ).pipe(Layer.provide(Layer.merge(WalletRepo.layer, CorrectionRepo.layer)))
}
