import { once } from "node:events"
import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { delivery, http, outbound, silent, tcp } from "./Servers.ts"

const allow = (...ports: ReadonlyArray<number>) => ({
  allowlist: new Set(ports.flatMap((port) => [`http://127.0.0.1:${port}`, `https://127.0.0.1:${port}`]))
})
const urlOf = (port: number) => `http://127.0.0.1:${port}/hook?a=b`
const textOf = (body: Uint8Array | null) => (body === null ? null : Buffer.from(body).toString())

/** Posts once to a server that answers each request with these bytes, and leaves the connection open. */
const answeredWith = (bytes: string | Buffer, more: Parameters<typeof delivery>[1] = {}) =>
  Effect.gen(function* () {
    const { port } = yield* tcp((socket) => void socket.write(bytes))
    const { post } = yield* outbound(allow(port))
    return yield* post(delivery(urlOf(port), more))
  })

describe("Outbound", () => {
  it.effect("posts the given bytes and headers, and returns status and body A-SIG-11", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const { port } = yield* http(async (request, response) => {
        const chunks: Array<Buffer> = []
        for await (const chunk of request) chunks.push(chunk)
        seen.push(request.method, request.url, request.headers, Buffer.concat(chunks).toString("hex"))
        response.end("thanks")
      })
      const { post } = yield* outbound(allow(port))
      const result = yield* post(delivery(urlOf(port), { body: Buffer.from([0x7b, 0xc3, 0xa9, 0x7d]) }))
      assert.deepStrictEqual(
        { ...result, body: textOf(result.body) },
        {
          status_code: 200,
          failure_class: null,
          body: "thanks",
          error_message: null
        }
      )
      assert.deepStrictEqual(seen, [
        "POST",
        "/hook?a=b",
        {
          host: `127.0.0.1:${port}`,
          connection: "keep-alive",
          "content-length": "4",
          "content-type": "application/json",
          "user-agent": "svc-webhooks/1",
          "svc-webhook-id": "evt_1"
        },
        "7bc3a97d"
      ])
    })
  )

  it.effect("maps each status to its class A-WHV-06 A-WHV-07 A-WHV-08", () =>
    Effect.gen(function* () {
      const { port } = yield* http((request, response) => response.writeHead(Number(request.url?.slice(1))).end())
      const { post } = yield* outbound(allow(port))
      for (const [status, failure_class] of [
        [200, null],
        [204, null],
        [301, null],
        [304, null],
        [400, null],
        [401, "auth_rejected"],
        [403, "auth_rejected"],
        [404, null],
        [410, null],
        [429, null],
        [500, "server_error"],
        [503, "server_error"],
        [599, "server_error"],
        [600, null]
      ] as const) {
        const result = yield* post(delivery(`http://127.0.0.1:${port}/${status}`))
        assert.deepStrictEqual(result, { status_code: status, failure_class, body: null, error_message: null })
      }
    })
  )

  it.effect("does not follow a redirect (gaps-1 K Success, timeouts, redirects)", () =>
    Effect.gen(function* () {
      let followed = 0
      const other = yield* http((_request, response) => {
        followed++
        response.end()
      })
      const { port } = yield* http((_request, response) =>
        response.writeHead(307, { location: urlOf(other.port) }).end()
      )
      const { post } = yield* outbound(allow(port, other.port))
      assert.strictEqual((yield* post(delivery(urlOf(port)))).status_code, 307)
      assert.strictEqual(followed, 0)
    })
  )

  it.effect("times out on a receiver that hangs before or inside its answer A-WHV-07", () =>
    Effect.gen(function* () {
      for (const bytes of ["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc"]) {
        const result = yield* answeredWith(bytes, { totalTimeoutMs: 50 })
        assert.deepStrictEqual(
          [result.status_code, result.failure_class, result.body, result.error_message],
          [null, "timeout", null, "The attempt took longer than allowed."]
        )
      }
    })
  )

  it.effect("times out on a receiver that sends interim answers without end A-WHV-07", () =>
    Effect.gen(function* () {
      const { port } = yield* tcp((socket) => {
        const more = () =>
          socket.write("HTTP/1.1 102 Processing\r\n\r\n", (error) => void (error ?? setImmediate(more)))
        more()
      })
      const { post } = yield* outbound(allow(port))
      assert.strictEqual((yield* post(delivery(urlOf(port), { totalTimeoutMs: 100 }))).failure_class, "timeout")
    })
  )

  it.effect("times out on a connection that is accepted and never becomes TLS A-WHV-07", () =>
    Effect.gen(function* () {
      const { port } = yield* silent
      const { post } = yield* outbound(allow(port))
      const result = yield* post(delivery(`https://127.0.0.1:${port}/`, { connectTimeoutMs: 20 }))
      assert.deepStrictEqual(
        [result.status_code, result.failure_class, result.error_message],
        [null, "timeout", "The connection was not established in time."]
      )
    })
  )

  it.effect("classes a receiver that refuses, resets, closes or cuts its answer short as unreachable A-WHV-07", () =>
    Effect.gen(function* () {
      const gone = yield* Effect.scoped(tcp(() => {}))
      const reset = yield* tcp((socket) => socket.resetAndDestroy())
      const closing = yield* tcp((socket) => socket.end())
      const cut = yield* tcp((socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc"))
      const ports = [gone, reset, closing, cut].map(({ port }) => port)
      const { post } = yield* outbound(allow(...ports))
      for (const port of ports) {
        const result = yield* post(delivery(urlOf(port)))
        assert.deepStrictEqual([result.status_code, result.failure_class, result.body], [null, "unreachable", null])
        assert.match(result.error_message ?? "", /^The connection was (refused|reset|closed)/)
      }
    })
  )

  it.effect("classes garbage, upgrades and oversized headers as unreachable A-WHV-07", () =>
    Effect.gen(function* () {
      for (const bytes of [
        "SSH-2.0-OpenSSH_9.6\r\n",
        Buffer.alloc(4096, 0xff),
        "HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\n",
        "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n",
        `HTTP/1.1 200 OK\r\nx: ${"a".repeat(1_000_000)}`,
        `HTTP/1.1 200 OK\r\n${"a: b\r\n".repeat(100_000)}`
      ]) {
        const result = yield* answeredWith(bytes)
        assert.deepStrictEqual([result.status_code, result.failure_class], [null, "unreachable"])
      }
    })
  )

  it.effect("reads 64 KiB of an endless body, closes, and keeps the status (gaps-1 K)", () =>
    Effect.gen(function* () {
      const closed = yield* Deferred.make<void>()
      const { port } = yield* tcp((socket) => {
        socket.on("close", () => Deferred.doneUnsafe(closed, Effect.void))
        const more = () => socket.write("a".repeat(8192), (error) => void (error ?? setImmediate(more)))
        socket.write("HTTP/1.1 200 OK\r\n\r\n", more)
      })
      const { post } = yield* outbound(allow(port))
      const result = yield* post(delivery(urlOf(port)))
      assert.deepStrictEqual([result.status_code, result.failure_class, result.body?.length], [200, null, 65_536])
      yield* Deferred.await(closed)
    })
  )

  it.effect("requests no compression and inflates none", () =>
    Effect.gen(function* () {
      const bomb = gzipSync(Buffer.alloc(10_000_000))
      const head = `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`
      const result = yield* answeredWith(Buffer.concat([Buffer.from(head), bomb]))
      assert.strictEqual(result.status_code, 200)
      assert.deepStrictEqual(result.body && Buffer.from(result.body), bomb.subarray(0, 65_536))
    })
  )

  it.effect("refuses unsafe and malformed destinations without a connection A-WHE-18..21", () =>
    Effect.gen(function* () {
      let connections = 0
      const { port, server } = yield* http((_request, response) => response.end())
      server.on("connection", () => connections++)
      const { post, vet } = yield* outbound({ allowlist: new Set() })
      for (const url of [
        urlOf(port),
        `https://127.0.0.1:${port}/`,
        `https://[::ffff:127.0.0.1]:${port}/`,
        `https://localhost:${port}/`,
        `https://u:p@example.com:${port}/`,
        "nonsense"
      ]) {
        assert.notStrictEqual(yield* vet(url), "ok")
        assert.deepStrictEqual(yield* post(delivery(url)), {
          status_code: null,
          failure_class: "unreachable",
          body: null,
          error_message: "The destination is not allowed."
        })
      }
      assert.strictEqual(connections, 0)
    })
  )

  it.effect("reaches an allowlisted IPv6 literal", () =>
    Effect.gen(function* () {
      const { port } = yield* http((_request, response) => response.end(), "::1")
      const { post } = yield* outbound({ allowlist: new Set([`http://[::1]:${port}`]) })
      assert.strictEqual((yield* post(delivery(`http://[::1]:${port}/`))).status_code, 200)
    })
  )

  it.effect("keeps hundreds of parallel attempts apart and reuses their connections", () =>
    Effect.gen(function* () {
      let connections = 0
      const { port, server } = yield* http((request, response) => request.pipe(response))
      server.on("connection", () => connections++)
      const { post } = yield* outbound(allow(port))
      const bodies = Array.from({ length: 600 }, (_, index) => `body ${index}`)
      const results = yield* Effect.forEach(bodies, (body) => post(delivery(urlOf(port), { body })), {
        concurrency: 50
      })
      assert.deepStrictEqual(
        results.map((result) => textOf(result.body)),
        bodies
      )
      assert.isAtMost(connections, 100)
    })
  )

  it.effect("a hanging receiver delays neither another nor its own other attempts", () =>
    Effect.gen(function* () {
      const { port } = yield* http((request, response) => {
        if (request.url === "/fast") response.end()
      })
      const { post } = yield* outbound(allow(port))
      const slow = yield* Effect.forkChild(
        Effect.forEach(Array(100).keys(), () => post(delivery(`http://127.0.0.1:${port}/slow`)), { concurrency: 100 })
      )
      yield* Effect.yieldNow
      assert.strictEqual((yield* post(delivery(`http://127.0.0.1:${port}/fast`))).status_code, 200)
      yield* Fiber.interrupt(slow)
    })
  )

  it.effect("closes the connection of an interrupted attempt", () =>
    Effect.gen(function* () {
      const arrived = yield* Deferred.make<Promise<unknown>>()
      const { port } = yield* tcp((socket) => Deferred.doneUnsafe(arrived, Effect.succeed(once(socket, "close"))))
      const { post } = yield* outbound(allow(port))
      const attempt = yield* Effect.forkChild(post(delivery(urlOf(port))))
      const closed = yield* Deferred.await(arrived)
      yield* Fiber.interrupt(attempt)
      yield* Effect.promise(() => closed)
    })
  )
})
