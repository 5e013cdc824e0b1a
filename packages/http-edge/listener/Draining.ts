import { Context, Deferred, Effect, Layer } from "effect"

/**
 * Holds whether the process is stopping: readiness returns 503 and long polls answer at once. Boot contract, "Stopping"
 */
export class Draining extends Context.Service<
  Draining,
  {
    /** True once the stop has begun. */
    readonly isDraining: () => boolean
    /** Completes when the stop begins. */
    readonly begun: Effect.Effect<void>
    /** Begins the stop; a second call has no effect. */
    readonly begin: Effect.Effect<void>
  }
>()("@carteiro/http-edge/listener/Draining") {
  static readonly layer = Layer.effect(
    Draining,
    Effect.map(Deferred.make<void>(), (latch) =>
      Draining.of({
        isDraining: () => Deferred.isDoneUnsafe(latch),
        begun: Deferred.await(latch),
        begin: Effect.asVoid(Deferred.succeed(latch, undefined))
      })
    )
  )
}
