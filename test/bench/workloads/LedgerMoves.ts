import { Effect } from "effect"
import { Bench } from "../Bench.ts"
import { BenchFailure } from "../BenchFailure.ts"
import * as Peers from "../Peers.ts"
import { atLeast, type Bar } from "../Report.ts"
import { alternate, charged, type Sample } from "../Rounds.ts"
import type { Workload } from "./Workload.ts"

/** Holding, settling, releasing and using, through the owners of so many wallets. */
const ledgerMoves = (wallets: number, name: string, factor: number): Workload => ({
  name,
  about: `64 clients hold and settle, hold and release, and use on ${wallets === 1 ? "one hot wallet" : `${wallets.toLocaleString("en-US")} wallets`}, each movement answered once it is durable, until all usage is charged; pgledger makes the same transfers by its functions, alone and batched.`,
  needs: [],
  run: Effect.gen(function* () {
    const sides = yield* alternate([
      { name: "carteiro", round: round(yield* Peers.ledger("LedgerOwners", wallets)) },
      { name: "pgledger batched", round: round(yield* Peers.ledger("PgledgerPeer", wallets, { BATCHED: "1" })) },
      { name: "pgledger", round: round(yield* Peers.ledger("PgledgerPeer", wallets)) }
    ])
    const bars: ReadonlyArray<Bar> = [atLeast(sides, "pgledger batched", factor), atLeast(sides, "pgledger", factor)]
    return { unit: "movements", sides, bars, facts: ["Latencies are those of single movements."] }
  })
})

const round = (peer: Effect.Success<ReturnType<typeof Peers.ledger>>) =>
  Effect.gen(function* () {
    const { options } = yield* Bench
    const cost = { pids: () => [peer.pid], database: peer.database }
    const { result, ...spent } = yield* charged(cost, peer.round(options.seconds), ({ operations }) => operations)
    if (result.operations === 0) return yield* new BenchFailure({ message: `${peer.name} moved nothing` })
    const { operations, p50Ms, p99Ms, seconds } = result
    const sample: Sample = { perSecond: operations / seconds, p50Ms, p99Ms, ...spent }
    return sample
  })

/** Everybody wants the same wallet. */
export const ledgerHot = ledgerMoves(1, "ledger-hot", 5)

/** Hardly two movements of a moment belong to one wallet. */
export const ledgerSpread = ledgerMoves(1000, "ledger-1000", 2)
