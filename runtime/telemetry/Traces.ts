import { makeTracing } from "@carteiro/owners/SampledTracing.ts"
import { Tracing } from "@carteiro/owners/Tracing.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { Clock, Effect, Layer } from "effect"
import { SpanExport } from "./Otlp.ts"

/**
 * The traces of a node, sampled at that share; none without a collector. Nodes with one master key decide alike. Boot
 * contract, "Settings"
 */
export const layer = (share: number): Layer.Layer<never, never, Secrets> =>
  Layer.effect(
    Tracing,
    Effect.gen(function* () {
      const tracer = yield* SpanExport
      if (tracer === undefined || share === 0) return undefined
      const secret = (yield* Secrets).mac("trace", "sampling")
      return makeTracing({ tracer, clock: yield* Clock.Clock, share, secret })
    })
  )
