import { Effect } from "effect"
import { HttpTraceContext } from "effect/http"

/** The facts about a call that its span shows. Paths are left out, because they hold capability URLs and numbers. */
export interface SpannedCall {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly url: { readonly target: { readonly origin: string } }
}

/**
 * Makes a call under its own span, which travels with it as `traceparent`, where the fiber works in a sampled trace.
 * Elsewhere the call is made without one, so that receivers sample as they choose.
 */
export const withCallSpan = <Request extends SpannedCall, Result>(
  request: Request,
  statusOf: (result: Result) => number | null,
  make: (request: Request) => Effect.Effect<Result>
): Effect.Effect<Result> =>
  Effect.withFiber((fiber) => {
    const { span: above, tracer } = fiber.cache
    // Without an exporter there is no tracer, and spans made by the library go nowhere.
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
