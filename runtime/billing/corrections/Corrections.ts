import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Context, Effect, Layer } from "effect"
import { WalletRepo } from "../wallet/WalletRepo.ts"
import { postingOf } from "./CorrectionPosting.ts"
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
    /**
     * The credit that the demonstration begins with, once an account and posted at once: nobody has moved it since it was
     * made. Boot contract, "Ready"
     */
    begin(accountId: string, amount: number, now: number): Effect.Effect<void, ApiError>
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
        begin: Effect.fnUntraced(function* (accountId, amount, now) {
          const account = yield* wallets.open(accountId, now)
          if (account === undefined || (yield* repo.hasBegun(accountId))) return
          const id = ids.mint("ctu", now)
          const ground = { account, now, mintId: (at: number) => ids.mint("led", at) }
          const asked = { account_id: accountId, id, type: "credit", source: "manual", amount, reason: "Demonstration" }
          const rows = postingOf({ id, type: "credit", source: "manual", amount }, account, ground)
          yield* commit.write([insertCorrection.row({ ...asked, created_at: now })])
          yield* commit.write(rows)
        }),
        isPosted: (accountId, id) => repo.isPosted(accountId, id)
      })
    })
  ).pipe(Layer.provide(Layer.merge(WalletRepo.layer, CorrectionRepo.layer)))
}
