import { failed, HealthChecks, passed } from "@carteiro/owners/HealthChecks.ts"
import { HealthRoutes } from "@carteiro/runtime/admin/HealthRoutes.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { serverOf } from "./SampleServer.ts"
import { call } from "./Wire.ts"

const Server = serverOf(HealthRoutes).pipe(Layer.provideMerge(HealthChecks.layer))

it.layer(Server, { excludeTestServices: true })("Health", (it) => {
  it.effect("answers 200 while the process runs, without a key A-CONV-22", () =>
    Effect.gen(function* () {
      const { status, json, headers } = yield* call("GET /health", { anonymous: true })
      assert.deepStrictEqual(
        [status, json],
        [200, { object: "health", status: "ok", trace_id: headers["svc-trace-id"] }]
      )
    })
  )

  it.effect("is ready only while both shown checks and every other one pass A-ERR-18", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const health = yield* HealthChecks
        const ready = call("GET /health/ready", { anonymous: true })
        yield* health.add("database", Effect.succeed(passed("It answers.")))
        const early = yield* ready
        assert.deepStrictEqual(
          [early.status, early.json.error.code, early.json.error.details],
          [503, "service_unavailable", { checks: { database: "ok", queue: "failed" } }]
        )
        yield* health.add("queue", Effect.succeed(passed("It answers.")))
        const now = yield* ready
        assert.deepStrictEqual([now.status, now.json.checks], [200, { database: "ok", queue: "ok" }])
        yield* health.add("clock", Effect.succeed(failed("300 ms off")))
        const off = yield* ready
        assert.deepStrictEqual([off.status, off.json.error.details], [503, { checks: { database: "ok", queue: "ok" } }])
        assert.notInclude(off.text, "300 ms")
      })
    )
  )
})
