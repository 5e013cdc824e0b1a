import { createHmac } from "node:crypto"
import { type Clock, Context, Exit, Option, Tracer } from "effect"
import { BoundedMap } from "../BoundedMap.ts"
import { type AskedTrace, readTraceparent, type SpanAttributes, type Tracing, withoutWords } from "./Tracing.ts"

/** Services and settings of sampled traces. */
export interface SampledTracingOptions {
  /** Makes spans and exports those that end. */
  readonly tracer: Tracer.Tracer
  readonly clock: Clock.Clock
  /** The share of traces that are sampled, from 0 to 1. */
  readonly share: number
  /** The key that decides which traces are sampled; all nodes share it, and callers must not know it. */
  readonly secret: Uint8Array
}

/** A sampled trace on this node. */
interface KnownTrace {
  readonly span: Tracer.AnySpan
  /** Requests and later tasks that this node has traced under the id. */
  begun: number
}

/** Traces whose spans are remembered, for links from later work. */
const mostKnown = 4096
/**
 * The most spans that one trace id begins on a node. Otherwise a caller that found a sampled id could send it with
 * every request; a batch of ten thousand messages has one id.
 */
const mostOfOneTrace = 128

/**
 * Samples by a keyed hash of the contract's trace id. Every node reaches an equal decision about a message, even hours
 * later, and no decision is stored. Callers cannot work out which ids are sampled.
 */
export const makeTracing = ({ clock, secret, share, tracer }: SampledTracingOptions): Tracing => {
  const known = new BoundedMap<string, KnownTrace>(mostKnown)
  const isChosen = chooser(secret, share)

  const begin = (
    name: string,
    kind: Tracer.SpanKind,
    parent: Tracer.AnySpan | undefined,
    linked: ReadonlyArray<Tracer.AnySpan>,
    attributes: SpanAttributes
  ): Tracer.Span => {
    const span = tracer.span({
      name,
      kind,
      parent: Option.fromUndefinedOr(parent),
      annotations: Context.empty(),
      links: linked.map((span) => ({ span, attributes: {} })),
      startTime: clock.currentTimeNanosUnsafe(),
      root: parent === undefined,
      sampled: true
    })
    for (const key in attributes) {
      if (attributes[key] !== undefined) span.attribute(key, attributes[key])
    }
    return span
  }

  /** True when the trace is sampled and its id has spans left on this node. */
  const mayBegin = ({ traceId }: AskedTrace): boolean =>
    isChosen(traceId) && (share >= 1 || (known.get(traceId)?.begun ?? 0) < mostOfOneTrace)

  const count = (traceId: string, span: Tracer.AnySpan) => {
    const before = known.get(traceId)
    if (before === undefined) known.set(traceId, { span, begun: 1 })
    else before.begun++
  }

  return {
    request: (name, asked, attributes) => {
      if (!mayBegin(asked)) return undefined
      const parent = readTraceparent(asked.traceparent) ?? rootOf(traceIdOf(asked.traceId, secret))
      const span = begin(name, "server", parent, [], { "carteiro.trace_id": asked.traceId, ...attributes })
      count(asked.traceId, span)
      return span
    },
    later: (name, asked, attributes) => {
      if (!mayBegin(asked)) return undefined
      const cause = known.get(asked.traceId)?.span
      const parent = rootOf(cause?.traceId ?? traceIdOf(asked.traceId, secret))
      const linked = cause === undefined ? [] : [cause]
      const span = begin(name, "consumer", parent, linked, { "carteiro.trace_id": asked.traceId, ...attributes })
      count(asked.traceId, span)
      return span
    },
    beneath: (name, kind, served, attributes) => {
      const [first, ...others] = served
      const span =
        others.length === 0
          ? begin(name, kind, first, [], attributes)
          : begin(name, kind, undefined, served, attributes)
      for (const one of served) {
        // A call from another node: later work for it on this node is linked to the work here.
        if (one._tag === "ExternalSpan" && known.get(one.traceId) === undefined) {
          known.set(one.traceId, { span, begun: 1 })
        }
      }
      return span
    },
    end: (span, exit = Exit.void) => span.end(clock.currentTimeNanosUnsafe(), withoutWords(exit))
  }
}

/** Returns the root of a trace; the exporter writes its empty span id as "no parent". */
const rootOf = (traceId: string): Tracer.ExternalSpan => Tracer.externalSpan({ traceId, spanId: "", sampled: true })

const hexDigits = /^[0-9a-f]{32}$/
const noTrace = "0".repeat(32)

/**
 * Returns the id of a trace for collectors: the contract's id if it has their form. Any other id is replaced by one
 * derived from it, so that all nodes find one trace.
 */
const traceIdOf = (traceId: string, secret: Uint8Array): string => {
  const lower = traceId.toLowerCase()
  if (hexDigits.test(lower) && lower !== noTrace) return lower
  return createHmac("sha256", secret).update(traceId).digest("hex").slice(0, 32)
}

/** Returns the function that decides about trace ids: it compares a hash that begins with the secret with the share. */
const chooser = (secret: Uint8Array, share: number): ((traceId: string) => boolean) => {
  if (share >= 1) return () => true
  if (share <= 0) return () => false
  const view = new DataView(secret.buffer, secret.byteOffset, secret.byteLength)
  const first = view.getUint32(0)
  const second = view.getUint32(4)
  const below = share * 2 ** 32
  return (traceId) => {
    let hash = first
    for (let at = 0; at < traceId.length; at++) {
      hash = Math.imul(hash ^ traceId.charCodeAt(at), 0x01000193)
      hash ^= hash >>> 15
    }
    hash = Math.imul(hash ^ second, 0x85ebca6b)
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
    return (hash ^ (hash >>> 16)) >>> 0 < below
  }
}
