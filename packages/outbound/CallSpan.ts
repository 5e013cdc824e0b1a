import { Effect } from "effect"
import { HttpTraceContext } from "effect/http"

/** A call as its span shows it. Paths are left out: they hold capability URLs and numbers. */
export interface SpannedCall {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly url: { readonly target: { readonly origin: string } }
}

/**
 * Makes a call under a span of its own, which travels with it as `traceparent`, where the fiber works in a sampled trace.
 * Elsewhere the call is made as it is: a receiver is not told how to sample its own traces.
 */
export const withCallSpan = <Request extends SpannedCall, Result>(
  request: Request,
  statusOf: (result: Result) => number | null,
  make: (request: Request) => Effect.Effect<Result>
): Effect.Effect<Result> =>
  Effect.withFiber((fiber) => {
    const { span: above, tracer } = fiber.cache
    // Without an exporter there is no tracer, and spans that the library makes are nobody's.
    if (tracer === undefined || above?.sampled !== true) return make(request)
    const { method, url } = request
    const attributes = { "http.request.method": method, "server.address": url.target.origin }
    return Effect.useSpan(method, { kind: "client", attributes }, (span) => {
      const { traceparent = "" } = HttpTraceContext.toHeaders(span)
      return Effect.tap(make({ ...request, headers: { ...request.headers, traceparent } }), (result) =>
        Effect.sync(() => {
          const status = statusOf(result)
          if (status === null) span.attribute("error.type", "unanswered")
          else span.attribute("http.response.status_code", status)
        })
      )
    })
  })
