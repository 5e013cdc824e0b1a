import { connect, type Socket } from "node:net"
import { HttpServer } from "@carteiro/http-edge/Listener.ts"
import { InsufficientScope } from "@carteiro/schema/conventions/SharedErrors.ts"
import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { streamedBytes } from "../../packages/http-edge/body/StreamBody.ts"
import { until } from "../support/Until.ts"
import { bodyRoutes, hookLimit, streamLimit } from "./SampleBodies.ts"
import { Door, sampleRoutes, sampleServer, serverOf } from "./SampleServer.ts"
import { call, exchange, parseAnswer, requestBytes, type WireRequest } from "./Wire.ts"

const mega = 1_048_576
const withBodies = () => serverOf(Layer.merge(sampleRoutes, bodyRoutes), { limits: { bodyBytes: 4 * mega } })

const padded = (name: string, bytes: number) => {
  const frame = `{"name":"${name}"}`
  return frame + " ".repeat(bytes - frame.length)
}
const declared = (bytes: number, ...more: ReadonlyArray<readonly [string, string]>): WireRequest => ({
  headers: [["Content-Length", String(bytes)], ["Content-Type", "application/json"], ...more]
})
/** The answer to a head whose body never follows. */
const answerToHead = (line: string, options: WireRequest) =>
  Effect.map(
    exchange(requestBytes(line, options, true), (_soFar, socket) => void socket.end()),
    parseAnswer
  )

/** Sends the beginning of a request and leaves the connection to the test. */
const opened = (bytes: Buffer) =>
  Effect.flatMap(HttpServer, ({ port }) =>
    Effect.callback<Socket>((resume) => {
      const socket = connect(port, "127.0.0.1")
      socket.on("error", () => {})
      socket.write(bytes, () => resume(Effect.succeed(socket)))
    })
  )
const load = Effect.map(HttpServer, (server) => server.load())
const ended = (socket: Socket) =>
  Effect.callback<string>((resume) => {
    let text = ""
    socket.on("data", (chunk) => {
      text += chunk
    })
    socket.on("close", () => resume(Effect.succeed(text)))
  })

it.layer(sampleServer(), { excludeTestServices: true })("Bodies of callers without a key", (it) => {
  it.effect("are not read: the answer does not wait for them A-AUTH-03 A-LIM-01", () =>
    Effect.gen(function* () {
      const { answer } = yield* answerToHead("POST /v1/parcels", { anonymous: true, ...declared(10 * mega) })
      assert.deepStrictEqual([answer.status, answer.headers.connection], [401, "close"])
      const chunked = { anonymous: true, headers: [["Transfer-Encoding", "chunked"]] } as const
      assert.strictEqual((yield* answerToHead("POST /v1/parcels", chunked)).answer.status, 401)
      assert.deepStrictEqual(yield* load, { bodyBytes: 0, calls: 0, awaitedBodies: 0 })
      assert.lengthOf((yield* Door).asked, 0)
    })
  )

  it.effect("keep their connection when they are small A-AUTH-03", () =>
    Effect.gen(function* () {
      const first = requestBytes("POST /v1/parcels", { anonymous: true, body: { name: "a" } }, true)
      const text = yield* exchange(Buffer.concat([first, requestBytes("GET /v1/parcels/behind")]))
      const { answer, rest } = parseAnswer(text)
      assert.strictEqual(answer.status, 401)
      assert.strictEqual(parseAnswer(rest).answer.json.id, "behind")
      yield* until(Effect.map(load, ({ awaitedBodies }) => awaitedBodies === 0))
    })
  )

  it.effect("get no leave to be sent A-AUTH-03 A-ERR-24", () =>
    Effect.gen(function* () {
      const { answer } = yield* answerToHead("POST /v1/parcels", {
        anonymous: true,
        ...declared(12, ["Expect", "100-continue"])
      })
      assert.deepStrictEqual([answer.status, answer.headers.connection], [401, "close"])
    })
  )

  it.effect("come behind 404 and 413 all the same A-ERR-20 A-ERR-14", () =>
    Effect.gen(function* () {
      const status = (line: string, bytes: number) =>
        Effect.map(answerToHead(line, { anonymous: true, ...declared(bytes) }), ({ answer }) => answer.status)
      assert.strictEqual(yield* status("POST /v1/nothing", 11 * mega), 404)
      assert.strictEqual(yield* status("POST /v1/parcels", 11 * mega), 413)
    })
  )
})

it.layer(sampleServer(), { excludeTestServices: true })("Large bodies", (it) => {
  it.effect("are admitted before they are read gaps-1 A 'Order of checks in one request'", () =>
    Effect.gen(function* () {
      const door = yield* Door
      door.refusals.push(new InsufficientScope())
      assert.strictEqual((yield* answerToHead("POST /v1/parcels", declared(mega))).answer.status, 403)
      assert.lengthOf(door.asked, 1)
    })
  )

  it.effect("ask once where nothing depends on the body, and spend their token A-ERR-15", () =>
    Effect.gen(function* () {
      const door = yield* Door
      door.asked.length = 0
      assert.strictEqual((yield* call("POST /v1/parcels", { body: padded("a", mega) })).status, 201)
      assert.strictEqual((yield* call("POST /v1/parcels", { body: padded("", mega) })).status, 400)
      assert.deepStrictEqual(
        door.asked.map(({ rate }) => rate),
        ["write", "write"]
      )
    })
  )

  it.effect("ask again with their idempotency key, and spend one token A-IDEM-04", () =>
    Effect.gen(function* () {
      const door = yield* Door
      door.asked.length = 0
      const headers = [["Idempotency-Key", "large"]] as const
      const first = yield* call("POST /v1/parcels", { body: padded("a", mega), headers })
      assert.deepStrictEqual(
        door.asked.map(({ idempotency, rate }) => [rate, idempotency?.key]),
        [
          ["write", undefined],
          [undefined, "large"]
        ]
      )
      const again = yield* call("POST /v1/parcels", { body: { name: "a" }, headers })
      assert.deepStrictEqual([again.headers["svc-idempotent-replayed"], again.json.id], ["true", first.json.id])
      assert.strictEqual((yield* call("POST /v1/parcels", { body: padded("b", mega), headers })).status, 409)
    })
  )

  it.effect("are asked nothing early that a replay or the body decides A-ERR-25 A-ERR-15", () =>
    Effect.gen(function* () {
      const door = yield* Door
      door.asked.length = 0
      const headers = [["Idempotency-Key", "k"]] as const
      assert.strictEqual((yield* call("POST /v1/parcels/a/charge", { body: padded("a", mega), headers })).status, 202)
      assert.strictEqual((yield* call("POST /v1/parcels/a/report", { body: padded("", mega), headers })).status, 400)
      assert.deepStrictEqual(
        door.asked.map(({ rate, traits }) => [rate, traits.restrictedWithoutCredit === true]),
        [
          [undefined, false],
          ["write", true],
          [undefined, false],
          [undefined, false]
        ]
      )
    })
  )

  it.effect("of routes without keys draw the token of their source first A-AUTH-01", () =>
    Effect.gen(function* () {
      const door = yield* Door
      const open = (body: string) => call("POST /v1/parcels/a/open", { anonymous: true, body })
      assert.strictEqual((yield* open(padded("a", mega))).status, 200)
      assert.strictEqual((yield* open(padded("a", 100))).status, 200)
      assert.deepStrictEqual(door.drawn, ["device_create 127.0.0.1", "device_create 127.0.0.1"])
    })
  )

  it.effect("gather from many small pieces A-LIM-03", () =>
    Effect.gen(function* () {
      const body = padded("a", 200_000)
      const head =
        "POST /v1/parcels HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer k\r\nContent-Type: application/json\r\n" +
        "Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
      const chunks = Array.from({ length: 2000 }, (_, n) => `64\r\n${body.slice(n * 100, n * 100 + 100)}\r\n`)
      const { answer } = parseAnswer(yield* exchange(`${head}${chunks.join("")}0\r\n\r\n`))
      assert.deepStrictEqual([answer.status, answer.json.body], [201, { name: "a" }])
      assert.strictEqual((yield* load).bodyBytes, 0)
    })
  )
})

it.live("counts large bodies until their requests are answered, and refuses beyond the budget with 503 A-ERR-18", () =>
  Effect.gen(function* () {
    const door = yield* Door
    const first = yield* Effect.forkChild(call("POST /v1/parcels", { body: padded("wait", mega) }))
    yield* Deferred.await(door.entered)
    assert.strictEqual((yield* load).bodyBytes, mega)
    const { answer } = yield* answerToHead("POST /v1/parcels", declared(mega + 1))
    assert.deepStrictEqual(
      [answer.status, answer.json.error.code, answer.headers["retry-after"]],
      [503, "service_unavailable", "1"]
    )
    assert.strictEqual((yield* call("POST /v1/parcels", { body: padded("small", 60_000) })).status, 201)
    yield* Deferred.succeed(door.gate, undefined)
    assert.strictEqual((yield* Fiber.join(first)).status, 201)
    assert.strictEqual((yield* load).bodyBytes, 0)
  }).pipe(Effect.provide(sampleServer({ limits: { bodyBytes: 4 * mega } })))
)

it.live("gives back the bytes of an upload whose caller left", () =>
  Effect.gen(function* () {
    const socket = yield* opened(requestBytes("POST /v1/parcels", declared(mega), true))
    yield* until(Effect.map(load, ({ bodyBytes }) => bodyBytes === mega))
    socket.destroy()
    yield* until(Effect.map(load, ({ awaitedBodies, bodyBytes }) => bodyBytes === 0 && awaitedBodies === 0))
  }).pipe(Effect.provide(sampleServer()))
)

it.live("ends a stalled upload with 408 and gives back its bytes A-ERR-23", () =>
  Effect.gen(function* () {
    const { endLateBodies } = yield* HttpServer
    const socket = yield* opened(requestBytes("POST /v1/parcels", declared(mega), true))
    const answered = yield* Effect.forkChild(ended(socket))
    yield* until(Effect.map(load, ({ bodyBytes }) => bodyBytes === mega))
    endLateBodies(0)
    assert.strictEqual((yield* load).awaitedBodies, 1)
    endLateBodies(20_000)
    assert.deepStrictEqual(yield* load, { bodyBytes: 0, calls: 0, awaitedBodies: 0 })
    const { answer } = parseAnswer(yield* Fiber.join(answered))
    assert.deepStrictEqual(
      [answer.status, answer.json.error.code, answer.json.error.type, answer.headers.connection],
      [408, "http_exception", "validation_error", "close"]
    )
  }).pipe(Effect.provide(sampleServer()))
)

it.live("holds the whole of a webhook up to its own limit, counted A-LIM-03", () =>
  Effect.gen(function* () {
    const door = yield* Door
    const hook = (bytes: number) => call("POST /hook", { anonymous: true, body: Buffer.alloc(bytes) })
    const first = yield* Effect.forkChild(hook(mega))
    yield* Deferred.await(door.entered)
    assert.strictEqual((yield* load).bodyBytes, mega)
    assert.strictEqual((yield* hook(2 * mega)).status, 503)
    yield* Deferred.succeed(door.gate, undefined)
    assert.strictEqual((yield* Fiber.join(first)).json.bytes, mega)
    assert.strictEqual((yield* hook(hookLimit + 1)).status, 413)
    assert.strictEqual((yield* load).bodyBytes, 0)
  }).pipe(Effect.provide(withBodies()))
)

it.live("hands an upload on up to its limit and counts a megabyte of it at most A-LIM-02", () =>
  Effect.gen(function* () {
    const door = yield* Door
    const upload = (bytes: number) => call("PUT /stream", { anonymous: true, body: Buffer.alloc(bytes) })
    const first = yield* Effect.forkChild(upload(streamLimit))
    yield* Deferred.await(door.entered)
    assert.strictEqual((yield* load).bodyBytes, Math.min(streamLimit, streamedBytes))
    yield* Deferred.succeed(door.gate, undefined)
    assert.strictEqual((yield* Fiber.join(first)).json.bytes, streamLimit)
    assert.strictEqual((yield* upload(streamLimit + 1)).status, 413)
    assert.strictEqual((yield* call("PUT /stream", { anonymous: true })).json.bytes, 0)
  }).pipe(Effect.provide(withBodies()))
)

it.live("ends an upload that falls below its rate with 408, and not one that we keep waiting A-ERR-23", () =>
  Effect.gen(function* () {
    const door = yield* Door
    const { endLateBodies } = yield* HttpServer
    const head = requestBytes("PUT /stream", { anonymous: true, ...declared(1000) }, true)
    const socket = yield* opened(Buffer.concat([head, Buffer.alloc(500)]))
    const answered = yield* Effect.forkChild(ended(socket))
    yield* Deferred.await(door.entered)
    endLateBodies(0)
    endLateBodies(30_000)
    assert.strictEqual((yield* load).awaitedBodies, 1, "its first piece is with us")
    yield* Deferred.succeed(door.gate, undefined)
    let now = 30_000
    yield* until(
      Effect.map(load, ({ awaitedBodies }) => {
        now += 20_000
        endLateBodies(now)
        return awaitedBodies === 0
      })
    )
    const { answer } = parseAnswer(yield* Fiber.join(answered))
    assert.deepStrictEqual([answer.status, answer.headers.connection], [408, "close"])
  }).pipe(Effect.provide(withBodies()))
)
