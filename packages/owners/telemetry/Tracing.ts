import { Cause, Context, Effect, Exit, type Fiber, Option, Tracer } from "effect"
import { Headers, HttpTraceContext } from "effect/http"

/** Ids, names and numbers that people search by. They never hold a key, a body, a URL or a phone number. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>

/** The trace that a request names, or that asked for work which is done later. */
export interface AskedTrace {
  /** The contract's trace id, in any form. */
  readonly traceId: string
  /** The `traceparent` header as the caller sent it. */
  readonly traceparent?: string | undefined
}

/**
 * Makes the spans of a node. It alone decides whether a trace is sampled: a caller's flags do not count. A span exists
 * only in a sampled trace, so that the work of an unsampled request costs one comparison.
 */
export interface Tracing {
  /** Begins the span of a request; undefined when its trace is not sampled. */
  readonly request: (name: string, trace: AskedTrace, attributes: SpanAttributes) => Tracer.Span | undefined
  /**
   * Begins the span of work that an earlier request asked for, in that request's trace and linked to its span where
   * this node knows it; undefined when that trace is not sampled.
   */
  readonly later: (name: string, trace: AskedTrace, attributes: SpanAttributes) => Tracer.Span | undefined
  /**
   * Begins the span of work that serves other spans: a child of the only one it serves. Work for several has a trace of
   * its own, linked to each of them.
   */
  readonly beneath: (
    name: string,
    kind: Tracer.SpanKind,
    served: ReadonlyArray<Tracer.AnySpan>,
    attributes: SpanAttributes
  ) => Tracer.Span
  /** Ends a span. Of a failure it keeps only the tag, because messages may quote a caller's data. */
  readonly end: (span: Tracer.Span, exit?: Exit.Exit<unknown, unknown>) => void
}

/** Holds the tracing of this node; undefined while spans are not exported, and then no span is made. */
export const Tracing = Context.Reference<Tracing | undefined>("@carteiro/owners/telemetry/Tracing", {
  defaultValue: () => undefined
})

/** Returns the sampled span that a fiber runs under. */
export const sampledSpan = (fiber: Fiber.Fiber<unknown, unknown>): Tracer.AnySpan | undefined => {
  const { span } = fiber.cache
  return span?.sampled === true ? span : undefined
}

/** Runs an effect under a span and ends the span with it. */
export const duringSpan = <A, E, R>(
  tracing: Tracing,
  span: Tracer.Span,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, Exclude<R, Tracer.ParentSpan>> =>
  Effect.onExit(Effect.provideService(effect, Tracer.ParentSpan, span), (exit) =>
    Effect.sync(() => tracing.end(span, exit))
  )

/** Returns the text that carries a span to another node. */
export const traceparentOf = (span: Tracer.Span): string => HttpTraceContext.toHeaders(span).traceparent ?? ""

/** Reads a `traceparent`; undefined when its form is not that of W3C Trace Context. */
export const readTraceparent = (text: string | undefined): Tracer.ExternalSpan | undefined =>
  text === undefined ? undefined : Option.getOrUndefined(HttpTraceContext.w3c(Headers.fromInput({ traceparent: text })))

/** Returns an exit whose failure holds only its tag. */
export const withoutWords = (exit: Exit.Exit<unknown, unknown>): Exit.Exit<unknown, unknown> => {
  if (Exit.isSuccess(exit)) return Exit.void
  if (Cause.hasInterruptsOnly(exit.cause)) return Exit.failCause(exit.cause)
  const [failure] = exit.cause.reasons
  if (failure?._tag !== "Fail") return Exit.fail("Defect")
  const { error } = failure
  const isTagged = typeof error === "object" && error !== null && "_tag" in error
  return Exit.fail(isTagged ? String(error._tag) : "Failure")
}
