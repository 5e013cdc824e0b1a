import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"

/** One request to a collector. */
export interface Sent {
  readonly path: string
  readonly body: string
}

/** A span as a collector received it. */
export interface CollectedSpan {
  readonly traceId: string
  readonly spanId: string
  /** Empty for the root of a trace. */
  readonly parentSpanId: string
  readonly name: string
  /** The role of the process that made it. */
  readonly role: string
  readonly startMillis: number
  readonly endMillis: number
  readonly attributes: Readonly<Record<string, string | number | boolean>>
  readonly links: ReadonlyArray<{ readonly traceId: string; readonly spanId: string }>
}

/** A collector of OTLP over HTTP that keeps its requests. */
export interface Collector {
  readonly url: string
  readonly sent: Array<Sent>
  readonly spans: () => ReadonlyArray<CollectedSpan>
}

/** Runs a collector on a port, 0 for a free one, while the scope is open. */
export const collectorAt = (port: number) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.callback<{ readonly url: string; readonly sent: Array<Sent>; readonly close: () => void }>((resume) => {
        const sent: Array<Sent> = []
        const server = createServer((request, response) => {
          const chunks: Array<Buffer> = []
          request.on("data", (chunk) => chunks.push(chunk))
          request.on("end", () => {
            sent.push({ path: request.url ?? "", body: Buffer.concat(chunks).toString() })
            response.end()
          })
        })
        server.listen(port, "127.0.0.1", () => {
          const close = () => {
            server.close()
            server.closeAllConnections()
          }
          resume(Effect.succeed({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sent, close }))
        })
      }),
      ({ close }) => Effect.sync(close)
    ),
    ({ sent, url }): Collector => {
      const spans = () => sent.filter(({ path }) => path === "/v1/traces").flatMap(({ body }) => spansIn(body))
      return { url, sent, spans }
    }
  )

/** Runs a collector on a free port. */
export const collector = collectorAt(0)

interface TraceBody {
  readonly resourceSpans: ReadonlyArray<{
    readonly resource: { readonly attributes: ReadonlyArray<WireAttribute> }
    readonly scopeSpans: ReadonlyArray<{ readonly spans: ReadonlyArray<WireSpan> }>
  }>
}

interface WireSpan extends Pick<CollectedSpan, "traceId" | "spanId" | "name" | "links"> {
  readonly parentSpanId?: string
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: ReadonlyArray<WireAttribute>
}

interface WireAttribute {
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
}

const spansIn = (body: string): ReadonlyArray<CollectedSpan> =>
  (JSON.parse(body) as TraceBody).resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const { role } = attributesOf(resource.attributes)
    return scopeSpans
      .flatMap(({ spans }) => spans)
      .map((span) => ({
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId ?? "",
        name: span.name,
        role: String(role),
        startMillis: Number(BigInt(span.startTimeUnixNano) / 1000n) / 1000,
        endMillis: Number(BigInt(span.endTimeUnixNano) / 1000n) / 1000,
        attributes: attributesOf(span.attributes),
        links: span.links
      }))
  })

const attributesOf = (list: ReadonlyArray<WireAttribute>): CollectedSpan["attributes"] =>
  Object.fromEntries(list.map(({ key, value }) => [key, attributeOf(value)]))

const attributeOf = (value: Readonly<Record<string, unknown>>): string | number | boolean => {
  const [kind, held] = Object.entries(value)[0] ?? []
  return kind === "intValue" ? Number(held) : (held as string | number | boolean)
}

/**
 * Returns a trace as text, one line a span: its start in milliseconds after the first span, its duration, its name and
 * attributes.
 */
export const printedTrace = (trace: ReadonlyArray<CollectedSpan>, shown: ReadonlyArray<string>): string => {
  const began = Math.min(...trace.map(({ startMillis }) => startMillis))
  const ids = new Set(trace.map(({ spanId }) => spanId))
  const below = (parent: string) =>
    trace
      .filter(({ parentSpanId }) => (ids.has(parentSpanId) ? parentSpanId : "") === parent)
      .sort((one, other) => one.startMillis - other.startMillis)
  const lines = (parent: string, depth: number): ReadonlyArray<string> =>
    below(parent).flatMap((span) => {
      const from = (span.startMillis - began).toFixed(1).padStart(8)
      const took = (span.endMillis - span.startMillis).toFixed(1).padStart(7)
      const told = shown.flatMap((key) => (key in span.attributes ? [`${key}=${span.attributes[key]}`] : []))
      const linked = span.links.length === 0 ? [] : [`links=${span.links.map(({ spanId }) => spanId).join(",")}`]
      const line = `${from} ${took}  ${"  ".repeat(depth)}${[span.name, ...told, ...linked].join(" ")}`
      return [line, ...lines(span.spanId, depth + 1)]
    })
  return lines("", 0).join("\n")
}
