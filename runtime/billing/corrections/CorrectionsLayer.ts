import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { Effect, Layer } from "effect"
import { WalletRepo } from "../wallet/WalletRepo.ts"
import { postingOf } from "./CorrectionPosting.ts"
import { CorrectionRepo } from "./CorrectionRepo.ts"
import { Corrections } from "./Corrections.ts"
import { insertCorrection } from "./CorrectionWrites.ts"

export const correctionsLayer = Layer.effect(
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
        const context = { account, now, mintId: (at: number) => ids.mint("led", at) }
        const asked = {
          account_id: accountId,
          id,
          type: "credit",
          source: "manual",
          amount,
          reason: "Demonstration"
        } as const
        const rows = postingOf({ id, type: "credit", source: "manual", amount }, account, context)
        yield* commit.write([insertCorrection.row({ ...asked, created_at: now })])
        yield* commit.write(rows)
      }),
      isPosted: (accountId, id) => repo.isPosted(accountId, id)
    })
  })
).pipe(Layer.provide(Layer.merge(WalletRepo.layer, CorrectionRepo.layer)))
