import { Cause, Context, Effect, Exit, type Fiber, Option, Tracer } from "effect"
import { Headers, HttpTraceContext } from "effect/http"

/** Ids, names and numbers that people search by. Never a key, a body, a URL or a phone number. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>

/** The trace that a request names, or that asked for work which is done later. */
export interface AskedTrace {
  /** The trace id of the contract; of any form. */
  readonly traceId: string
  /** The header of that name as a caller sent it. */
  readonly traceparent?: string | undefined
}

/**
 * The spans of a node. Whether a trace is sampled is decided here and nowhere else: a caller's flags count for nothing.
 * A span exists only in a sampled trace, so that everything beneath an unsampled request costs one comparison.
 */
export interface Tracing {
  /** Begins the span of a request; undefined when its trace is not sampled. */
  readonly request: (name: string, asked: AskedTrace, attributes: SpanAttributes) => Tracer.Span | undefined
  /**
   * Begins the span of work that an earlier request asked for, in the trace of that request and linked to its span where
   * this node knows it; undefined when that trace is not sampled.
   */
  readonly later: (name: string, asked: AskedTrace, attributes: SpanAttributes) => Tracer.Span | undefined
  /**
   * Begins the span of work that serves others: a child of the only one it serves. Work for several has a trace of its
   * own, linked to each of them.
   */
  readonly beneath: (
    name: string,
    kind: Tracer.SpanKind,
    served: ReadonlyArray<Tracer.AnySpan>,
    attributes: SpanAttributes
  ) => Tracer.Span
  /** Ends a span; of a failure it keeps the tag alone, because messages may quote what a caller sent. */
  readonly end: (span: Tracer.Span, exit?: Exit.Exit<unknown, unknown>) => void
}

/** The traces of this node; undefined while nothing exports them, and then no span is ever made. */
export const Tracing = Context.Reference<Tracing | undefined>("@carteiro/owners/tracing/Tracing", {
  defaultValue: () => undefined
})

/** Returns the sampled span that a fiber works under. */
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

/** Returns the text by which a span travels to another node. */
export const traceparentOf = (span: Tracer.Span): string => HttpTraceContext.toHeaders(span).traceparent ?? ""

/** Reads such a text; undefined for one that breaks the form of W3C Trace Context. */
export const readTraceparent = (text: string | undefined): Tracer.ExternalSpan | undefined =>
  text === undefined ? undefined : Option.getOrUndefined(HttpTraceContext.w3c(Headers.fromInput({ traceparent: text })))

/** Returns an exit that says no more of a failure than its tag. */
export const withoutWords = (exit: Exit.Exit<unknown, unknown>): Exit.Exit<unknown, unknown> => {
  if (Exit.isSuccess(exit)) return Exit.void
  if (Cause.hasInterruptsOnly(exit.cause)) return Exit.failCause(exit.cause)
  const [failure] = exit.cause.reasons
  if (failure?._tag !== "Fail") return Exit.fail("Defect")
  const { error } = failure
  const isTagged = typeof error === "object" && error !== null && "_tag" in error
  return Exit.fail(isTagged ? String(error._tag) : "Failure")
}
