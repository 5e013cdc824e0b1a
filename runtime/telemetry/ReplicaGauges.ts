import { Instruments } from "@carteiro/owners/Instruments.ts"
import { CurrentReplica, type ReadSource } from "@carteiro/tables/ReplicaReads.ts"
import { Effect, Layer } from "effect"

const sources: ReadonlyArray<ReadSource> = ["replica", "lag", "written", "failed"]

/** How far the replica for lists is behind, and which server answered them; nothing on a node without one. */
export const replicaGauges = Layer.effectDiscard(
  Effect.gen(function* () {
    const replica = yield* CurrentReplica
    if (replica === undefined) return
    const instruments = yield* Instruments
    yield* instruments.reading(
      { name: "replica_lag_seconds", help: "By how much the replica for lists is behind at most" },
      () => replica.lagMs() / 1000
    )
    for (const source of sources) {
      yield* instruments.growing(
        {
          name: "replica_reads_total",
          help: "Reads of lists by the server that answered, or why it was the primary",
          labels: { source }
        },
        () => replica.counts[source]
      )
    }
  })
)
