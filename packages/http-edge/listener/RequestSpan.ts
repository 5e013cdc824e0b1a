import type { Tracing } from "@carteiro/owners/Tracing.ts"
import { Context, Exit, Tracer } from "effect"
import type { RequestHead } from "../pipeline/RequestHead.ts"
import type { RequestIds } from "./Envelope.ts"

/** The facts about a request that its span shows. */
interface SpannedRequest extends RequestIds {
  readonly head: RequestHead
  readonly operation: string
  readonly route: string
  readonly environmentId: string | undefined
}

/** Begins the span of a request whose route is known; undefined when its trace is not sampled. A-CONV-23 */
export const beginRequestSpan = (tracing: Tracing, request: SpannedRequest): Tracer.Span | undefined => {
  const { head, operation, requestId, route, traceId } = request
  return tracing.request(
    `${head.method} ${route}`,
    { traceId, traceparent: head.traceparent },
    {
      "carteiro.request_id": requestId,
      "carteiro.operation": operation,
      "http.request.method": head.method,
      "http.route": route
    }
  )
}

/** Ends the span with the status of the response. */
export const endRequestSpan = (
  tracing: Tracing,
  { environmentId }: SpannedRequest,
  span: Tracer.Span,
  status: number
): void => {
  span.attribute("http.response.status_code", status)
  if (environmentId !== undefined) span.attribute("carteiro.environment_id", environmentId)
  tracing.end(span, status >= 500 ? Exit.fail({ _tag: `Status${status}` }) : Exit.void)
}

/** Returns the services of a route with the span of the request as parent span. */
export const beneathSpan = (context: Context.Context<never>, span: Tracer.Span | undefined): Context.Context<never> =>
  span === undefined ? context : Context.add(context, Tracer.ParentSpan, span)
