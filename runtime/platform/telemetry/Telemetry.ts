import { Layer } from "effect"
import { type LoggingOptions, layer as logging } from "./Logging.ts"
import { requestMetricsLayer } from "./Metrics.ts"
import { layer as otlp } from "./Otlp.ts"
import { layer as processMetrics } from "./ProcessMetrics.ts"

/** What a process tells about itself, out of its settings. Boot contract, "Settings" */
export interface TelemetryOptions extends LoggingOptions {
  readonly otlpEndpoint: string | undefined
  readonly version: string
}

/** Logs, request and process metrics, and the collector when one is set; goes below every other layer. */
export const layer = (options: TelemetryOptions): Layer.Layer<never> => {
  const local = Layer.mergeAll(requestMetricsLayer, processMetrics).pipe(Layer.provideMerge(logging(options)))
  if (options.otlpEndpoint === undefined) return local
  const attributes = Object.fromEntries(Object.entries(options.base ?? {}).map(([key, value]) => [key, String(value)]))
  const collector = otlp({ endpoint: options.otlpEndpoint, version: options.version, attributes })
  return collector.pipe(Layer.provideMerge(local))
}
