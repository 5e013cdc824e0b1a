import { Effect, Layer, Logger } from "effect"

/** What the library warns of when no node is left, which is what the stop of the last one comes to. */
const farewell = "No healthy runners available"

/** Builds the library's part of a node; once that begins to close, the warning about the node's own leave is not logged. */
export const quietLeave = <A, E, R>(layer: Layer.Layer<A, E, R>): Layer.Layer<A, E, R> =>
  Layer.effectContext(
    Effect.gen(function* () {
      let leaving = false
      const quiet = (logger: Logger.Logger<unknown, unknown>) =>
        Logger.make<unknown, unknown>((event) => {
          const isFarewell = leaving && [event.message].flat().includes(farewell)
          return isFarewell ? undefined : logger.log(event)
        })
      const loggers = new Set([...(yield* Logger.CurrentLoggers)].map(quiet))
      const built = yield* Effect.provideService(Layer.build(layer), Logger.CurrentLoggers, loggers)
      // Added last, so that it runs before anything of the layer closes.
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          leaving = true
        })
      )
      return built
    })
  )
