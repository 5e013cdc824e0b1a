import type { RequestListener } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Stream, Tracer } from "effect"
import { type CallRequest, Calls, operatorUrl } from "../Calls.ts"
import { NameResolver } from "../NameResolver.ts"
import { http, silent, tcp } from "./Servers.ts"

const limits = { connectTimeoutMs: 1000, totalTimeoutMs: 5000, maxBytes: 1000 }

/** Calls whose names resolve as a test says; every other address than `mayDial` counts as private. */
const calls = (
  addressesOf: (query: number) => ReadonlyArray<string> = () => [],
  options: { readonly allowlist?: ReadonlySet<string>; readonly mayDial?: (address: string) => boolean } = {}
) => {
  let queries = 0
  const resolver = Layer.succeed(NameResolver, { resolve: () => Effect.sync(() => addressesOf(queries++)) })
  const layer = Calls.layer({ allowlist: new Set(), ...options }).pipe(Layer.provide(resolver))
  return Effect.map(Layer.build(layer), Context.get(Calls))
}

/** A server, what it was asked, and how often somebody connected. */
const served = Effect.fnUntraced(function* (listener: RequestListener = (_request, response) => response.end("here")) {
  const seen = { connections: 0, paths: [] as Array<string> }
  const { port, server } = yield* http((request, response) => {
    seen.paths.push(request.url ?? "")
    listener(request, response)
  })
  server.on("connection", () => seen.connections++)
  return { port, seen, origin: `http://127.0.0.1:${port}` }
})

const get = (url: CallRequest["url"], more: Partial<CallRequest> = {}): CallRequest => ({
  method: "GET",
  url,
  headers: {},
  limits,
  ...more
})

const notDialled = { _tag: "Broken", began: false } as const

describe("Calls", () => {
  it.effect("reach an operator's URL wherever it is, and a path below it", () =>
    Effect.gen(function* () {
      const { origin, seen } = yield* served()
      const { call } = yield* calls()
      const answer = yield* call(get(operatorUrl(`${origin}/api`).below("/v1/banks?limit=2")))
      assert.deepInclude(answer, { _tag: "Answered", status: 200, isCut: false })
      assert.deepStrictEqual(seen.paths, ["/api/v1/banks?limit=2"])
    })
  )

  it.effect("carry the traceparent of a sampled span, and no trace otherwise", () =>
    Effect.gen(function* () {
      const heard: Array<string | undefined> = []
      const { origin } = yield* served((request, response) => {
        heard.push(request.headers.traceparent?.toString())
        response.end()
      })
      const { call } = yield* calls()
      const spans: Array<Tracer.Span> = []
      const tracer = Tracer.make({
        span: (options) => {
          const span = new Tracer.NativeSpan(options)
          spans.push(span)
          return span
        }
      })
      const made = call(get(operatorUrl(`${origin}/hook/secret`)))
      const beneath = (sampled: boolean) =>
        Effect.provideService(
          made,
          Tracer.ParentSpan,
          Tracer.externalSpan({ traceId: "a".repeat(32), spanId: "b".repeat(16), sampled })
        )
      yield* made
      yield* beneath(true)
      yield* Effect.provideService(made, Tracer.Tracer, tracer)
      yield* Effect.provideService(beneath(false), Tracer.Tracer, tracer)
      assert.deepStrictEqual([heard, spans.length], [[undefined, undefined, undefined, undefined], 0])
      yield* Effect.provideService(beneath(true), Tracer.Tracer, tracer)
      const [span] = spans
      assert.strictEqual(heard.at(-1), `00-${"a".repeat(32)}-${span?.spanId}-01`)
      assert.deepStrictEqual(Object.fromEntries(span?.attributes ?? []), {
        "http.request.method": "GET",
        "server.address": origin,
        "http.response.status_code": 200
      })
    })
  )

  it.effect("refuse a tenant's URL that is not https, not public, or has credentials A-WHE-18..21", () =>
    Effect.gen(function* () {
      const { port } = yield* served()
      const { tenantUrl } = yield* calls()
      for (const text of [
        `http://127.0.0.1:${port}`,
        `https://127.0.0.1:${port}`,
        "http://pix.example.com",
        "https://user:password@pix.example.com",
        "https://user@pix.example.com",
        "https://localhost",
        "https://pix.internal",
        "https://10.0.0.1",
        "https://100.64.0.1",
        "https://169.254.169.254",
        "https://192.168.0.1",
        "https://224.0.0.1",
        "https://[::1]",
        "https://[::ffff:127.0.0.1]",
        "https://[fe80::1]",
        "https://2130706433",
        "https://pix.example.com#part",
        "ftp://pix.example.com",
        "nowhere",
        ""
      ]) {
        assert.strictEqual(tenantUrl(text), undefined, text)
      }
      assert.notStrictEqual(tenantUrl("https://pix.example.com/api"), undefined)
    })
  )

  it.effect("dial no address of a tenant's name that is not public, and reveal nothing about it", () =>
    Effect.gen(function* () {
      const { port, seen } = yield* served()
      for (const addresses of [["127.0.0.1"], ["93.184.215.14", "127.0.0.1"], []]) {
        const { call, open, tenantUrl } = yield* calls(() => addresses)
        const url = tenantUrl(`https://pix.example.com:${port}`)
        if (url === undefined) return assert.fail("not taken")
        assert.deepStrictEqual(yield* call(get(url)), notDialled)
        assert.strictEqual(yield* open(get(url)), undefined)
      }
      assert.strictEqual(seen.connections, 0)
    })
  )

  it.effect("resolve a tenant's name at each call: a name that turns private is not dialled again", () =>
    Effect.gen(function* () {
      const { port, seen } = yield* served()
      const { call, tenantUrl } = yield* calls((query) => (query === 0 ? ["127.0.0.1"] : ["127.0.0.2"]), {
        mayDial: (address) => address === "127.0.0.1"
      })
      const url = tenantUrl(`https://pix.example.com:${port}`)
      if (url === undefined) return assert.fail("not taken")
      // The server speaks no TLS: that it was dialled is seen by its connection.
      assert.deepStrictEqual(yield* call(get(url)), notDialled)
      assert.strictEqual(seen.connections, 1)
      assert.deepStrictEqual(yield* call(get(url)), notDialled)
      assert.strictEqual(seen.connections, 1)
    })
  )

  it.effect("keep a tenant's connections apart from the operator's to one origin", () =>
    Effect.gen(function* () {
      const { origin, seen } = yield* served()
      const { call, tenantUrl } = yield* calls(() => [], { allowlist: new Set([origin]) })
      yield* call(get(operatorUrl(origin)))
      const url = tenantUrl(`${origin}/api/`)
      if (url === undefined) return assert.fail("not taken")
      yield* call(get(url.below("/v1")))
      assert.deepStrictEqual(seen.paths, ["/", "/api/v1"])
    })
  )

  it.effect("follow no redirect", () =>
    Effect.gen(function* () {
      const inner = yield* served()
      const outer = yield* served((_request, response) => response.writeHead(302, { location: inner.origin }).end())
      const { call } = yield* calls()
      assert.deepInclude(yield* call(get(operatorUrl(outer.origin))), { _tag: "Answered", status: 302 })
      assert.strictEqual(inner.seen.connections, 0)
    })
  )

  it.effect("cut an answer that is too long, and report it", () =>
    Effect.gen(function* () {
      const { origin } = yield* served((_request, response) => response.end(Buffer.alloc(100_000, "x")))
      const { call } = yield* calls()
      assert.deepInclude(yield* call(get(operatorUrl(origin))), { _tag: "Answered", status: 200, isCut: true })
    })
  )

  it.effect("end at their total time, and report whether the request had begun", () =>
    Effect.gen(function* () {
      const { port } = yield* silent
      const hasty = { ...limits, totalTimeoutMs: 500 }
      const { call, open } = yield* calls()
      const url = operatorUrl(`http://127.0.0.1:${port}`)
      assert.deepStrictEqual(yield* call(get(url, { limits: hasty })), { _tag: "Broken", began: true })
      assert.strictEqual(yield* open(get(url, { limits: hasty })), undefined)
      const closed = yield* tcp((socket) => socket.destroy())
      const cut = operatorUrl(`http://127.0.0.1:${closed.port}`)
      assert.deepStrictEqual(yield* call(get(cut)), { _tag: "Broken", began: true })
    })
  )

  it.effect("stream an answer piece by piece, up to its bound", () =>
    Effect.gen(function* () {
      const { origin } = yield* served((request, response) =>
        response.end(Buffer.alloc(request.url === "/long" ? 1001 : 1000, "x"))
      )
      const { open } = yield* calls()
      const read = (path: string) =>
        Effect.flatMap(open(get(operatorUrl(origin).below(path))), (answer) =>
          Effect.result(Stream.runCollect(answer?.bytes ?? Stream.empty))
        )
      assert.strictEqual((yield* read("/short"))._tag, "Success")
      assert.strictEqual((yield* read("/long"))._tag, "Failure")
    })
  )
})

describe("An operator's URL", () => {
  it("a redirect is followed on its own host only", () => {
    const url = operatorUrl("http://10.0.0.5:8080/api/")
    assert.strictEqual(url.named("http://10.0.0.5:8080/audio/1?signature=x")?.target.path, "/audio/1?signature=x")
    assert.strictEqual(url.named("/audio/1")?.target.origin, "http://10.0.0.5:8080")
    for (const other of ["http://10.0.0.5:8081/", "https://10.0.0.5:8080/", "http://u:p@10.0.0.5:8080/", 7, null]) {
      assert.strictEqual(url.named(other), undefined)
    }
  })

  it("a base URL is equal only to its own text, apart from trailing slashes", () => {
    const url = operatorUrl("http://10.0.0.5:8080/api")
    for (const text of ["http://10.0.0.5:8080/api", "http://10.0.0.5:8080/api/"]) {
      assert.isTrue(url.isRepeatedBy(text), text)
    }
    for (const text of [
      "http://10.0.0.5:8080",
      "http://10.0.0.5:8080/api/admin",
      "http://10.0.0.5:8080/api?x=1",
      "http://u:p@10.0.0.5:8080/api",
      "http://10.0.0.5/api",
      "api"
    ]) {
      assert.isFalse(url.isRepeatedBy(text), text)
    }
  })
})
