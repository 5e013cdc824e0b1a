import { Clock, Duration, Effect, Layer, References } from "effect"

const loopName = "Shard acquisition loop"
const fixedRestMs = 1000
const restMs = 100

/**
 * The loop that takes shards rests for a fixed second after every try, so a shard released a moment after one try
 * would wait for it. On this clock that loop, and nothing else, rests 100 ms: the pause of a hand-over is that much
 * shorter. Architecture, section 8
 */
export const layerAcquisitionClock = Layer.effect(
  Clock.Clock,
  Effect.map(
    Clock.Clock,
    (clock): Clock.Clock => ({
      currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe(),
      currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe(),
      monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
      currentTimeMillis: clock.currentTimeMillis,
      currentTimeNanos: clock.currentTimeNanos,
      monotonicTimeNanos: clock.monotonicTimeNanos,
      sleep: (duration) =>
        Duration.toMillis(duration) !== fixedRestMs
          ? clock.sleep(duration)
          : Effect.withFiber((fiber) =>
              clock.sleep(
                fiber.getRef(References.CurrentLogAnnotations).fiber === loopName ? Duration.millis(restMs) : duration
              )
            )
    })
  )
)
