import { Effect, Layer, Logger, LogLevel, References } from "effect"

const libraryModule = "effect/cluster/"

/**
 * Builds the runtime library's part of a node. Once it begins to close, the library's warnings are not logged, because
 * they report the leave of this very node. Errors are still logged.
 */
export const quietOnLeave = <A, E, R>(layer: Layer.Layer<A, E, R>): Layer.Layer<A, E, R> =>
  Layer.effectContext(
    Effect.gen(function* () {
      let isLeaving = false
      const quiet = (logger: Logger.Logger<unknown, unknown>) =>
        Logger.make<unknown, unknown>((event) => {
          const { module } = event.fiber.getRef(References.CurrentLogAnnotations)
          const isLibrarys = typeof module === "string" && module.startsWith(libraryModule)
          const isDropped = isLeaving && isLibrarys && LogLevel.isLessThan(event.logLevel, "Error")
          return isDropped ? undefined : logger.log(event)
        })
      const loggers = new Set([...(yield* Logger.CurrentLoggers)].map(quiet))
      const built = yield* Effect.provideService(Layer.build(layer), Logger.CurrentLoggers, loggers)
      // Finalizers run in reverse order: this one is added last, so that it runs before the layer closes anything.
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          isLeaving = true
        })
      )
      return built
    })
  )
