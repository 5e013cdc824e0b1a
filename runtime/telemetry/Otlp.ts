import { Layer } from "effect"
import { FetchHttpClient } from "effect/http"
import { Otlp, OtlpSerialization } from "effect/observability"
import { isSecretKey, redactedText } from "./LogRedaction.ts"
import { replacement } from "./Redaction.ts"

/** The endpoint of `OTEL_EXPORTER_OTLP_ENDPOINT` and what names this process there. */
export interface OtlpOptions {
  readonly endpoint: string
  readonly version: string
  readonly attributes?: { readonly [key: string]: string }
}

/**
 * Sends traces, logs and metrics to an OpenTelemetry collector, beside the loggers in force. What leaves passes the same
 * redaction list as the log. Boot contract, "Settings"
 */
export const layer = (options: OtlpOptions) =>
  Otlp.layer({
    baseUrl: options.endpoint,
    resource: { serviceName: "carteiro", serviceVersion: options.version, attributes: options.attributes ?? {} },
    loggerMergeWithExisting: true
  }).pipe(Layer.provide(serialization), Layer.provide(FetchHttpClient.layer))

const serialization = Layer.effect(
  OtlpSerialization.OtlpSerialization,
  OtlpSerialization.OtlpSerialization.useSync((json) => ({
    traces: (data) => json.traces(withoutSecrets(data)),
    logs: (data) => json.logs(withoutSecrets(data)),
    metrics: json.metrics
  }))
).pipe(Layer.provide(OtlpSerialization.layerJson))

/** A copy of exporter data whose texts are redacted; attributes are `{ key, value }` pairs there. */
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
