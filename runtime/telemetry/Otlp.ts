import { withoutWords } from "@carteiro/owners/Tracing.ts"
import { Context, Effect, Layer, Option, Tracer } from "effect"
import { FetchHttpClient } from "effect/http"
import { OtlpExporter, OtlpLogger, OtlpMetrics, OtlpSerialization, OtlpTracer } from "effect/observability"
import { isSecretKey, redactedText } from "./LogRedaction.ts"
import { replacement } from "./Redaction.ts"

/** The endpoint of `OTEL_EXPORTER_OTLP_ENDPOINT`, and the attributes that name this process there. */
export interface OtlpOptions {
  readonly endpoint: string
  readonly version: string
  readonly attributes?: { readonly [key: string]: string }
}

/**
 * Sends traces, logs and metrics to an OpenTelemetry collector, besides the other loggers. Everything sent passes the
 * redaction list of the log. Boot contract, "Settings"
 */
export const layer = ({ attributes = {}, endpoint, version }: OtlpOptions) => {
  const resource = { serviceName: "carteiro", serviceVersion: version, attributes }
  return Layer.mergeAll(
    OtlpLogger.layer({ url: `${endpoint}/v1/logs`, resource, mergeWithExisting: true }),
    OtlpMetrics.layer({ url: `${endpoint}/v1/metrics`, resource }),
    spans(`${endpoint}/v1/traces`, resource)
  ).pipe(
    Layer.provideMerge(OtlpExporter.layerFlusher),
    Layer.provide(serialization),
    Layer.provide(FetchHttpClient.layer)
  )
}

/** The tracer of the exported spans; undefined without a collector. */
export const SpanExport = Context.Reference<Tracer.Tracer | undefined>("@carteiro/runtime/telemetry/SpanExport", {
  defaultValue: () => undefined
})

/**
 * Exports spans. Spans that the library starts by itself (statements, `Effect.fn`) are exported only below ours:
 * without a parent they belong to no sampled trace.
 */
const spans = (url: string, resource: { readonly serviceName: string }) =>
  Layer.effectContext(
    Effect.map(OtlpTracer.make({ url, resource }), (exporting) => {
      const tracer = Tracer.make({ span: (options) => withoutMessages(exporting.span(options)) })
      const beneath = Tracer.make({
        span: (options) => tracer.span(Option.isNone(options.parent) ? { ...options, sampled: false } : options)
      })
      return Context.make(Tracer.Tracer, beneath).pipe(Context.add(SpanExport, tracer))
    })
  )

/** Returns a span that shows only the tag of a failure, because the database's messages quote values of rows. */
const withoutMessages = (span: Tracer.Span): Tracer.Span => {
  if (!span.sampled) return span
  const end = span.end.bind(span)
  span.end = (at, exit) => end(at, withoutWords(exit))
  return span
}

const serialization = Layer.effect(
  OtlpSerialization.OtlpSerialization,
  OtlpSerialization.OtlpSerialization.useSync((json) => ({
    traces: (data) => json.traces(withoutSecrets(data)),
    logs: (data) => json.logs(withoutSecrets(data)),
    metrics: (data) => json.metrics(withUnits(data))
  }))
).pipe(Layer.provide(OtlpSerialization.layerJson))

/**
 * Returns a copy of exported metrics with the unit that the name of each tells, in the codes of UCUM. The library takes units
 * from labels alone, which Prometheus would show as well; those that it knows stay.
 */
const withUnits = <A>(data: A): A => withUnitsOf(data) as A

const withUnitsOf = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value
  if (Array.isArray(value)) return value.map(withUnitsOf)
  if (isMetric(value)) return value.unit === "1" ? { ...value, unit: unitOf(value.name) } : value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withUnitsOf(member)]))
}

const isMetric = (value: object): value is { readonly name: string; readonly unit: string } =>
  "name" in value && "unit" in value && typeof value.name === "string"

const unitOf = (name: string): string => {
  const [, unit] = /_(seconds|bytes)(?:_total)?$/.exec(name) ?? []
  return unit === "seconds" ? "s" : unit === "bytes" ? "By" : "1"
}

/** Returns a copy of exporter data with redacted texts; its attributes are `{ key, value }` pairs. */
export const withoutSecrets = <A>(data: A): A => clean(data) as A

const clean = (value: unknown): unknown => {
  if (typeof value === "string") return redactedText(value)
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value
  if (Array.isArray(value)) return value.map(clean)
  if ("key" in value && "value" in value && typeof value.key === "string" && isSecretKey(value.key)) {
    return { key: value.key, value: { stringValue: replacement } }
  }
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, clean(member)]))
}
