import { Context, Effect, Layer } from "effect"
import { Runners } from "effect/cluster"
import { LiveRunners } from "./LockSessions.ts"
import { ShardEpochs } from "./ShardEpochs.ts"

/** Whether this node can do its part of the cluster's work; a sentence says what is missing. A-HEALTH, gaps-1 A */
export class ClusterReadiness extends Context.Service<
  ClusterReadiness,
  { readonly check: Effect.Effect<true | string> }
>()("@carteiro/runtime/platform/owner/cluster/ClusterReadiness") {
  /** A node that hosts owners is ready while it holds shards. */
  static readonly layerHosting = Layer.effect(
    ClusterReadiness,
    Effect.map(ShardEpochs, (epochs) =>
      ClusterReadiness.of({ check: Effect.sync(() => (epochs.held() > 0 ? true : "no shard is held by this node")) })
    )
  )

  /** A node that only calls owners is ready while a runner answers it: one that is frozen must not stop them all. */
  static readonly layerCalling = Layer.effect(
    ClusterReadiness,
    Effect.gen(function* () {
      const runners = yield* Runners.Runners
      const live = yield* LiveRunners
      const check = Effect.suspend(() => {
        const pings = live.current().map((address) => Effect.timeout(runners.ping(address), "1500 millis"))
        return pings.length === 0
          ? Effect.succeed("no node with shards is known")
          : Effect.match(Effect.raceAll(pings), {
              onFailure: () => "no node with shards answers",
              onSuccess: (): true => true
            })
      })
      return ClusterReadiness.of({ check })
    })
  )
}
