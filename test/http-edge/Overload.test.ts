import { HttpServer } from "@carteiro/http-edge/Listener.ts"
import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { until } from "../support/Until.ts"
import { Door, sampleServer } from "./SampleServer.ts"
import { call, exchange } from "./Wire.ts"

const calls = Effect.map(HttpServer, ({ load }) => load().calls)

it.live("refuses calls beyond those in flight with 503 and runs none of them; health goes on A-ERR-18", () =>
  Effect.gen(function* () {
    const door = yield* Door
    const first = yield* Effect.forkChild(call("POST /v1/parcels", { body: { name: "wait" } }))
    yield* Deferred.await(door.entered)
    yield* until(Effect.map(calls, (count) => count === 1))
    for (const line of ["GET /v1/parcels/a", "GET /page"]) {
      const { headers, json, status } = yield* call(line)
      assert.deepStrictEqual(
        [status, json.error.code, json.error.retry_after_ms, headers["retry-after"]],
        [503, "service_unavailable", 1000, "1"]
      )
    }
    assert.strictEqual((yield* call("POST /v1/parcels", { body: { name: "b" } })).status, 503)
    assert.strictEqual((yield* call("GET /v1/nothing")).status, 404)
    assert.strictEqual((yield* call("GET /pulse")).status, 200)
    assert.lengthOf(door.handled, 1)
    yield* Deferred.succeed(door.gate, undefined)
    assert.strictEqual((yield* Fiber.join(first)).status, 201)
    assert.strictEqual((yield* call("POST /v1/parcels", { body: { name: "b" } })).status, 201)
  }).pipe(Effect.provide(sampleServer({ limits: { calls: 1 } })))
)

it.live("does not count long polls", () =>
  Effect.gen(function* () {
    const door = yield* Door
    const poll = yield* Effect.forkChild(call("GET /v1/parcels/listen?limit=100"))
    yield* Deferred.await(door.entered)
    assert.strictEqual(yield* calls, 0)
    assert.strictEqual((yield* call("GET /v1/parcels/a")).status, 200)
    yield* Deferred.succeed(door.gate, undefined)
    assert.strictEqual((yield* Fiber.join(poll)).status, 200)
  }).pipe(Effect.provide(sampleServer({ limits: { calls: 1 } })))
)

it.live("answers many callers without keys and does not read their large bodies", () =>
  Effect.gen(function* () {
    const megabytes = 4
    const body = Buffer.alloc(megabytes * 2 ** 20, 0x20)
    const head = `POST /v1/parcels HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`
    const answers = yield* Effect.all(
      Array.from({ length: 64 }, () => exchange(Buffer.concat([Buffer.from(head), body]))),
      { concurrency: "unbounded" }
    )
    assert.deepStrictEqual(new Set(answers.map((text) => text.slice(0, 12))), new Set(["HTTP/1.1 401"]))
    const { load } = yield* HttpServer
    assert.strictEqual(load().bodyBytes, 0)
    assert.strictEqual((yield* call("GET /pulse")).status, 200)
  }).pipe(Effect.provide(sampleServer({})))
)
