import nodeTls, { type SecureContextOptions } from "node:tls"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { NameResolver } from "../NameResolver.ts"
import { selfSigned } from "./Certificates.ts"
import { delivery, dns, outbound, tls } from "./Servers.ts"

const name = "hooks.example.com"

/**
 * Makes the process trust a certificate for the length of a scope. `tls.setDefaultCACertificates` would do, but the first
 * releases of Node.js 24 lack it.
 */
const trusting = (cert: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const { createSecureContext } = nodeTls
      Object.assign(nodeTls, {
        createSecureContext: (options: SecureContextOptions = {}) => createSecureContext({ ca: cert, ...options })
      })
      return createSecureContext
    }),
    (createSecureContext) => Effect.sync(() => void Object.assign(nodeTls, { createSecureContext }))
  )

/** The one loopback address that stands for a public one here. */
const options = { allowlist: new Set<string>(), mayDial: (address: string) => address === "127.0.0.1" }

const receiver = (oncePerConnection = false) =>
  Effect.gen(function* () {
    const certificate = selfSigned(name)
    yield* trusting(certificate.cert)
    let connections = 0
    const { port, server } = yield* tls(certificate, oncePerConnection)
    server.on("connection", () => connections++)
    return { url: `https://${name}:${port}/hook`, connections: () => connections }
  })

describe("Outbound to names (gaps-1 J Unsafe destinations)", () => {
  it.effect("dials the address that was checked, without asking DNS again", () =>
    Effect.gen(function* () {
      let queries = 0
      // Every later answer is an address nothing listens on and nobody may dial.
      const names = yield* dns(() => (queries++ === 0 ? ["127.0.0.1"] : ["127.0.0.9"]))
      const { url, connections } = yield* receiver()
      const { post } = yield* outbound(options, names)
      assert.strictEqual((yield* post(delivery(url))).status_code, 204)
      assert.deepStrictEqual([queries, connections()], [1, 1])
    })
  )

  it.effect("resolves again at every attempt, on kept connections too, and refuses a name that turned unsafe", () =>
    Effect.gen(function* () {
      const names = yield* dns((query) => (query === 2 ? ["127.0.0.1", "10.0.0.7"] : ["127.0.0.1"]))
      const { url, connections } = yield* receiver()
      const { post } = yield* outbound(options, names)
      const results = yield* Effect.forEach([0, 1, 2, 3], () => post(delivery(url)))
      assert.deepStrictEqual(
        results.map(({ status_code, failure_class }) => [status_code, failure_class]),
        [
          [204, null],
          [204, null],
          [null, "unreachable"],
          [204, null]
        ]
      )
      assert.strictEqual(results[2]?.error_message, "The destination is not allowed.")
      assert.strictEqual(connections(), 1)
    })
  )

  it.effect("dials the checked address also when a kept connection ended and the request is repeated", () =>
    Effect.gen(function* () {
      let queries = 0
      const names = yield* dns(() => (queries++ < 2 ? ["127.0.0.1"] : ["127.0.0.9"]))
      const { url, connections } = yield* receiver(true)
      const { post } = yield* outbound(options, names)
      assert.strictEqual((yield* post(delivery(url, { body: "" }))).status_code, 204)
      assert.strictEqual((yield* post(delivery(url, { body: "" }))).status_code, 204)
      assert.deepStrictEqual([queries, connections()], [2, 2])
    })
  )

  it.effect("refuses a public name with a loopback address and never connects A-WHE-20", () =>
    Effect.gen(function* () {
      const names = yield* dns(() => ["93.184.215.14", "127.0.0.1"])
      const { url, connections } = yield* receiver()
      const { post, vet } = yield* outbound({ allowlist: new Set() }, names)
      assert.strictEqual(yield* vet(url), "unsafe")
      assert.strictEqual((yield* post(delivery(url))).failure_class, "unreachable")
      assert.strictEqual(connections(), 0)
    })
  )

  it.effect("classes a name that does not resolve as unreachable, though registration accepts it", () =>
    Effect.gen(function* () {
      const names = yield* dns(() => [])
      const { post, vet } = yield* outbound({ allowlist: new Set() }, names)
      assert.strictEqual(yield* vet("https://nowhere.example/"), "ok")
      assert.deepStrictEqual(yield* post(delivery("https://nowhere.example/")), {
        status_code: null,
        failure_class: "unreachable",
        body: null,
        error_message: "The host name did not resolve."
      })
    })
  )

  it.effect("waits no longer than its limit for a name server that does not answer", () =>
    Effect.gen(function* () {
      const names = yield* dns(() => undefined)
      const answer = Effect.flatMap(NameResolver, (resolver) => resolver.resolve(name, 20))
      assert.deepStrictEqual(yield* Effect.provide(answer, names), [])
    })
  )

  it.effect("shares one query among concurrent attempts", () =>
    Effect.gen(function* () {
      let queries = 0
      const names = yield* dns(() => {
        queries++
        return ["127.0.0.1"]
      })
      yield* Effect.gen(function* () {
        const resolver = yield* NameResolver
        const answers = yield* Effect.forEach(Array(50).keys(), () => resolver.resolve(name, 5000), { concurrency: 50 })
        assert.deepStrictEqual(answers, Array(50).fill(["127.0.0.1"]))
        assert.strictEqual(queries, 1)
      }).pipe(Effect.provide(names))
    })
  )

  for (const [fault, certificate, trusted] of [
    ["signed by nobody trusted", selfSigned(name), false],
    ["of another name", selfSigned("other.example.com"), true],
    ["that has expired", selfSigned(name, 2001), true]
  ] as const) {
    it.effect(`classes a receiver with a certificate ${fault} as unreachable A-WHV-07`, () =>
      Effect.gen(function* () {
        const names = yield* dns(() => ["127.0.0.1"])
        if (trusted) yield* trusting(certificate.cert)
        const { port } = yield* tls(certificate)
        const { post } = yield* outbound(options, names)
        const result = yield* post(delivery(`https://${name}:${port}/`))
        assert.deepStrictEqual([result.status_code, result.failure_class], [null, "unreachable"])
        assert.match(result.error_message ?? "", /^The TLS certificate was not accepted \([A-Z_]+\)\.$/)
      })
    )
  }
})
