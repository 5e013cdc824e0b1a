import { Context, Effect, Layer } from "effect"
import { Runners } from "effect/cluster"
import { failed, type HealthCheck, passed } from "../HealthChecks.ts"
import { LiveRunners } from "./LockSessions.ts"
import { ShardEpochs } from "./ShardEpochs.ts"

/** Holds whether this node can do its part of the cluster's work. gaps-1 A "Health endpoints" */
export class ClusterReadiness extends Context.Service<ClusterReadiness, { readonly check: HealthCheck }>()(
  "@carteiro/owners/cluster/ClusterReadiness"
) {
  /** A node that hosts owners is ready while it holds shards. */
  static readonly layerHosting = Layer.effect(
    ClusterReadiness,
    Effect.map(ShardEpochs, (epochs) =>
      ClusterReadiness.of({
        check: Effect.sync(() => {
          const held = epochs.held()
          return held > 0 ? passed(`This node holds ${held} shards.`) : failed("This node holds no shard.")
        })
      })
    )
  )

  /**
   * A node that only calls owners is ready while at least one runner answers: one frozen runner must not make all such
   * nodes unready.
   */
  static readonly layerCalling = Layer.effect(
    ClusterReadiness,
    Effect.gen(function* () {
      const runners = yield* Runners.Runners
      const live = yield* LiveRunners
      const check = Effect.suspend(() => {
        const pings = live.current().map((address) => Effect.timeout(runners.ping(address), "1500 millis"))
        const known = pings.length
        return known === 0
          ? Effect.succeed(failed("No node with shards is known."))
          : Effect.match(Effect.raceAll(pings), {
              onFailure: () => failed(`No node with shards answers; ${known} known.`),
              onSuccess: () => passed(`A node with shards answers; ${known} known.`)
            })
      })
      return ClusterReadiness.of({ check })
    })
  )
}
