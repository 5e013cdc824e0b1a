import type { RequestListener } from "node:http"
import { assert, it } from "@effect/vitest"
import { Context, Effect, Layer, Stream } from "effect"
import { Downloads } from "../Downloads.ts"
import { NameResolver } from "../NameResolver.ts"
import { http, silent, tcp } from "./Servers.ts"

/** Names and what they resolve to; the machine itself counts as public here. */
const names: Readonly<Record<string, ReadonlyArray<string>>> = {
  "files.example.com": ["127.0.0.1"],
  "other.example.com": ["127.0.0.1"],
  "inner.example.com": ["10.1.2.3"],
  "mixed.example.com": ["127.0.0.1", "169.254.169.254"]
}

const downloads = Effect.map(
  Layer.build(
    Downloads.layer({ allowlist: new Set(), mayDial: (address) => address === "127.0.0.1" }).pipe(
      Layer.provide(Layer.succeed(NameResolver, { resolve: (name) => Effect.succeed(names[name] ?? []) }))
    )
  ),
  Context.get(Downloads)
)

/** The whole file as text, or why there is none. */
const fetched = Effect.fnUntraced(function* (url: string, totalMs = 30_000) {
  const { fetch, tenantLink } = yield* downloads
  const link = tenantLink(url)
  if (link === undefined) return refused
  const whole = Effect.flatMap(fetch({ url: link, totalMs, redirects: 3 }), ({ bytes }) => Stream.runCollect(bytes))
  return yield* Effect.match(Effect.scoped(whole), {
    onSuccess: (chunks) => Buffer.concat([...chunks]).toString(),
    onFailure: ({ isPassing, reason }) => [reason, isPassing] as const
  })
})

/** A file server by a public name, and what it was asked. */
const served = Effect.fnUntraced(function* (listener: RequestListener) {
  const seen: Array<string> = []
  const { port } = yield* http((request, response) => {
    seen.push(`${request.headers.host?.split(":")[0]}${request.url}`)
    listener(request, response)
  })
  return { seen, port, at: (path: string, name = "files.example.com") => `http://${name}:${port}${path}` }
})

const refused = ["the address is not allowed", false] as const

it.live('each hop is checked as the first is gaps-2 F "Link fetch safety" M-DLV-08', () =>
  Effect.gen(function* () {
    const { at, port, seen } = yield* served(({ url = "" }, response) => {
      response.writeHead(302, { location: decodeURIComponent(url.slice(1)) }).end()
    })
    const unsafe = [
      `http://127.0.0.1:${port}/`,
      `http://[::1]:${port}/`,
      `http://2130706433:${port}/`,
      `http://0x7f.1:${port}/`,
      "http://169.254.169.254/latest/meta-data",
      "http://192.168.0.1/",
      "http://[::ffff:10.0.0.1]/",
      "http://localhost/",
      "http://db.internal/",
      at("/", "inner.example.com"),
      at("/", "mixed.example.com"),
      "ftp://files.example.com/a",
      "file:///etc/passwd",
      `http://user:secret@files.example.com:${port}/`
    ]
    for (const url of unsafe) assert.deepStrictEqual(yield* fetched(url), refused, url)
    assert.deepStrictEqual(seen, [])
    for (const url of unsafe) assert.deepStrictEqual(yield* fetched(at(`/${encodeURIComponent(url)}`)), refused, url)
    assert.lengthOf(seen, unsafe.length)
  }).pipe(Effect.scoped)
)

it.live("follow redirects to other names and paths, with fragments or without, three times M-LIM-04", () =>
  Effect.gen(function* () {
    const { at, seen } = yield* served(({ url = "" }, response) => {
      const left = Number(url.slice(1))
      if (left === 0) return void response.end("here")
      const location = left === 2 ? at(`/${left - 1}`, "other.example.com") : `/${left - 1}#page=2`
      response.writeHead(left % 2 === 0 ? 301 : 308, { location }).end()
    })
    assert.strictEqual(yield* fetched(at("/3")), "here")
    assert.deepStrictEqual(seen, [
      "files.example.com/3",
      "files.example.com/2",
      "other.example.com/1",
      "other.example.com/0"
    ])
    assert.deepStrictEqual(yield* fetched(at("/4")), ["it redirects too often", false])
    assert.lengthOf(seen, 8)
  }).pipe(Effect.scoped)
)

it.live("distinguish faults that may pass from permanent ones M-DLV-10", () =>
  Effect.gen(function* () {
    const { at } = yield* served(({ url = "" }, response) => {
      response.writeHead(Number(url.slice(1)), url === "/302" ? {} : { location: "" }).end("x")
    })
    for (const status of [408, 425, 429, 500, 502, 503, 504]) {
      assert.deepStrictEqual(yield* fetched(at(`/${status}`)), [`it answers ${status}`, true])
    }
    for (const status of [400, 401, 403, 404, 410, 501]) {
      assert.deepStrictEqual(yield* fetched(at(`/${status}`)), [`it answers ${status}`, false])
    }
    assert.deepStrictEqual(yield* fetched(at("/302")), ["it redirects to nowhere", false])
    assert.deepStrictEqual(yield* fetched(at("/", "nobody.example.com")), ["the host name did not resolve", true])
    const { port } = yield* tcp((socket) => socket.destroy())
    assert.deepStrictEqual(yield* fetched(`http://files.example.com:${port}/`), ["the connection failed", true])
    const cut = yield* tcp((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf")
      socket.end()
    })
    assert.deepStrictEqual(yield* fetched(`http://files.example.com:${cut.port}/`), ["the connection broke", true])
  }).pipe(Effect.scoped)
)

it.live("have one time limit for all of it: the head, every hop and the last byte M-DLV-09 M-LIM-04", () =>
  Effect.gen(function* () {
    const late = ["it took too long", true] as const
    const { port } = yield* silent
    assert.deepStrictEqual(yield* fetched(`http://files.example.com:${port}/`, 50), late)
    // A byte now and then keeps a connection alive, and not its fetch.
    const trickling = yield* tcp((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n")
      const timer = setInterval(() => socket.write("x"), 5)
      socket.on("close", () => clearInterval(timer))
    })
    assert.deepStrictEqual(yield* fetched(`http://files.example.com:${trickling.port}/`, 60), late)
    const hopping = yield* served((_request, response) => {
      setTimeout(() => response.writeHead(302, { location: "/again" }).end(), 40)
    })
    assert.deepStrictEqual(yield* fetched(hopping.at("/"), 60), late)
  }).pipe(Effect.scoped)
)
