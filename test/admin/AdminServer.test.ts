import { degraded, failed, HealthChecks, passed } from "@carteiro/owners/HealthChecks.ts"
import * as Instruments from "@carteiro/owners/Instruments.ts"
import { AdminServer } from "@carteiro/runtime/admin/AdminServer.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Metric } from "effect"
import { TestClock } from "effect/testing"

const admin = AdminServer.layer({ port: 0 }).pipe(
  Layer.provideMerge(Layer.merge(HealthChecks.layer, Instruments.layer)),
  Layer.provideMerge(Layer.sync(Metric.MetricRegistry, () => new Map()))
)

const get = (path: string, method = "GET") =>
  Effect.flatMap(AdminServer, ({ url }) =>
    Effect.promise(async () => {
      const answer = await fetch(url + path, { method })
      return { status: answer.status, type: answer.headers.get("content-type"), text: await answer.text() }
    })
  )

describe("AdminServer", () => {
  it.layer(admin)((it) => {
    it.effect(
      "answers 200 while no check fails, degraded or not, and 503 while one does (gaps-1 A Health endpoints)",
      () =>
        Effect.gen(function* () {
          const health = yield* HealthChecks
          let answer = passed("It answers.")
          yield* health.add(
            "database",
            Effect.sync(() => answer)
          )
          yield* health.add("queue", Effect.succeed(passed("It holds 128 shards.")))
          const good = yield* get("/health/ready")
          assert.strictEqual(good.status, 200)
          assert.deepStrictEqual(JSON.parse(good.text), {
            object: "health",
            status: "ok",
            checks: {
              database: { status: "ok", detail: "It answers." },
              queue: { status: "ok", detail: "It holds 128 shards." }
            }
          })
          answer = failed("It does not answer.")
          const bad = yield* get("/health/ready?x=1")
          assert.strictEqual(bad.status, 503)
          assert.deepStrictEqual(JSON.parse(bad.text).checks.database, {
            status: "failed",
            detail: "It does not answer."
          })
          answer = degraded("It answers now and then.")
          const lacking = yield* get("/health/ready")
          assert.deepStrictEqual([lacking.status, JSON.parse(lacking.text).status], [200, "degraded"])
          answer = failed("It does not answer.")
          const alive = yield* get("/health")
          assert.strictEqual(alive.status, 200)
          assert.deepStrictEqual(JSON.parse(alive.text).checks.database, {
            status: "failed",
            detail: "It does not answer."
          })
        })
    )

    it.effect("serves the metrics of its registry in the Prometheus text format", () =>
      Effect.gen(function* () {
        const instruments = yield* Instruments.Instruments
        instruments.counter({ name: "letters_total", help: "Letters", labels: ["kind"] })('a"b')(2)
        const page = yield* get("/metrics")
        assert.strictEqual(page.status, 200)
        assert.strictEqual(page.type, "text/plain; version=0.0.4; charset=utf-8")
        assert.include(
          page.text,
          '# HELP letters_total Letters\n# TYPE letters_total counter\nletters_total{kind="a\\"b"} 2\n'
        )
      })
    )

    it.effect("answers 404 to any other path", () =>
      Effect.gen(function* () {
        for (const path of ["/", "/metrics/", "/v1/account", "/toString", "/health/ready/x"]) {
          assert.strictEqual((yield* get(path)).status, 404, path)
        }
        assert.strictEqual((yield* get("/metrics", "POST")).status, 404)
      })
    )
  })

  it.layer(HealthChecks.layer)("HealthChecks", (it) => {
    it.effect("fails a check that dies, and one that does not answer", () =>
      Effect.gen(function* () {
        const health = yield* HealthChecks
        yield* health.add("dies", Effect.die("no"))
        yield* health.add("hangs", Effect.never)
        const running = yield* Effect.forkChild(health.run(["dies", "hangs"]))
        yield* TestClock.adjust("2 seconds")
        const results = yield* Fiber.join(running)
        assert.deepStrictEqual(results, {
          dies: { status: "failed", detail: "The check died; the log has the reason." },
          hangs: { status: "failed", detail: "The check got no answer within 2 seconds." }
        })
      })
    )

    it.effect("forgets a check when its scope closes, and runs only the named ones", () =>
      Effect.gen(function* () {
        const health = yield* HealthChecks
        yield* Effect.scoped(
          Effect.gen(function* () {
            yield* health.add("brief", Effect.succeed(passed("It is there.")))
            yield* health.add("other", Effect.succeed(passed("It is there.")))
            assert.hasAllKeys(yield* health.run(["brief"]), ["brief"])
          })
        )
        assert.notProperty(yield* health.run(), "brief")
      })
    )
  })
})
