import { Draining } from "@carteiro/http-edge/Listener.ts"
import { reply } from "@carteiro/http-edge/Reply.ts"
import { Routes, type RouteTable } from "@carteiro/http-edge/Routes.ts"
import { HealthChecks, worstOf } from "@carteiro/owners/HealthChecks.ts"
import { ServiceUnavailable } from "@carteiro/schema/conventions/SharedErrors.ts"
import { Effect, Layer } from "effect"

/** The checks the public answer names; what else fails is told on the admin port only. */
const shown = ["database", "queue"] as const

/**
 * `GET /health` while the process runs, `GET /health/ready` while it takes requests: every registered check passes and no
 * stop has begun. gaps-1 A "Health endpoints"
 */
export const HealthRoutes: Layer.Layer<never, never, RouteTable | HealthChecks | Draining> = Layer.unwrap(
  Effect.gen(function* () {
    const health = yield* HealthChecks
    const draining = yield* Draining
    return Layer.merge(
      Routes.raw({
        operation: "health.live",
        method: "GET",
        path: "/health",
        isCounted: false,
        handler: (request) => Effect.succeed(reply(request, 200, { object: "health", status: "ok" }))
      }),
      Routes.raw({
        operation: "health.ready",
        method: "GET",
        path: "/health/ready",
        isCounted: false,
        handler: (request) =>
          Effect.flatMap(health.run(), (results) => {
            const checks = Object.fromEntries(shown.map((name) => [name, results[name]?.status ?? "failed"]))
            const ready =
              worstOf(results) !== "failed" && shown.every((name) => checks[name] === "ok") && !draining.isDraining()
            return ready
              ? Effect.succeed(reply(request, 200, { object: "health", status: "ok", checks }))
              : Effect.fail(new ServiceUnavailable({ retry_after_ms: 1000, details: { checks } }))
          })
      })
    )
  })
)
