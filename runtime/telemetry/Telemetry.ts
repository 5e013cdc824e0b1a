import { requestMetrics } from "@carteiro/http-edge/RequestMetrics.ts"
import { RequestObserver } from "@carteiro/http-edge/RequestObserver.ts"
import { Instruments } from "@carteiro/owners/Instruments.ts"
import { Effect, Layer } from "effect"
import { type LoggingOptions, layer as logging } from "./Logging.ts"
import { layer as otlp } from "./Otlp.ts"
import { buildInfo, layer as processMetrics } from "./ProcessMetrics.ts"
import { makeRequestLog } from "./RequestLog.ts"

/** The settings of a process's telemetry. Boot contract, "Settings" */
export interface TelemetryOptions extends LoggingOptions {
  readonly otlpEndpoint: string | undefined
  readonly version: string
}

/** Measures and logs every request that the listener answers; belongs below the listener's layer. */
export const observedRequests = Layer.effect(
  RequestObserver,
  Effect.gen(function* () {
    const measure = requestMetrics(yield* Instruments)
    const log = yield* makeRequestLog
    return (request) => {
      measure(request)
      log(request)
    }
  })
)

/** Logs, request and process metrics, and the collector when one is set; belongs below every other layer. */
export const layer = (options: TelemetryOptions): Layer.Layer<never> => {
  const build = buildInfo(options.version, String(options.base?.role ?? "none"))
  const local = Layer.mergeAll(observedRequests, processMetrics, build).pipe(Layer.provideMerge(logging(options)))
  if (options.otlpEndpoint === undefined) return local
  const attributes = Object.fromEntries(Object.entries(options.base ?? {}).map(([key, value]) => [key, String(value)]))
  const collector = otlp({ endpoint: options.otlpEndpoint, version: options.version, attributes })
  return collector.pipe(Layer.provideMerge(local))
}
