import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SampleServer } from "./SampleServer.ts"
import { call, exchange, parseAnswer, requestBytes } from "./Wire.ts"

it.layer(SampleServer, { excludeTestServices: true })("Routing", (it) => {
  it.effect("answers 404 route_not_found for an unmatched path with discovery A-ERR-20 A-ERR-07 A-ERR-21", () =>
    Effect.gen(function* () {
      const answer = yield* call("GET /v1/nothing?secret=1", { anonymous: true })
      assert.strictEqual(answer.status, 404)
      assert.strictEqual(answer.json.error.code, "route_not_found")
      assert.strictEqual(answer.json.error.type, "not_found")
      assert.strictEqual(answer.json.error.message, "No route matches GET /v1/nothing.")
      assert.deepStrictEqual(answer.json.error.discovery, {
        openapi: "/openapi.json",
        well_known: "/.well-known/svc.json"
      })
      assert.notProperty(answer.json.error, "feedback")
    })
  )

  it.effect("shows discovery for /v1 itself and for nothing outside it A-ERR-07", () =>
    Effect.gen(function* () {
      assert.property((yield* call("GET /v1")).json.error, "discovery")
      assert.notProperty((yield* call("GET /v1x/y")).json.error, "discovery")
      assert.notProperty((yield* call("GET /")).json.error, "discovery")
    })
  )

  it.effect("cuts the route_not_found message at 256 characters and keeps the path encoded A-ERR-21", () =>
    Effect.gen(function* () {
      const { message } = (yield* call(`GET /v1/caf%C3%A9/${"x".repeat(400)}`)).json.error
      assert.strictEqual(message.length, 256)
      assert.isTrue(message.startsWith("No route matches GET /v1/caf%C3%A9/xxx"))
    })
  )

  it.effect("names the methods that a path has A-ERR-20 A-ERR-21", () =>
    Effect.gen(function* () {
      const message = (line: string) => Effect.map(call(line, { anonymous: true }), ({ json }) => json.error.message)
      assert.strictEqual(
        yield* message("DELETE /v1/parcels?secret=1"),
        "No route matches DELETE /v1/parcels. This path takes GET, POST."
      )
      assert.strictEqual(
        yield* message("GET /v1/parcels/abc/cancel"),
        "No route matches GET /v1/parcels/abc/cancel. This path takes POST."
      )
      assert.strictEqual(yield* message("POST /page"), "No route matches POST /page. This path takes GET.")
    })
  )

  it.effect("names the nearest path of the contract, and its methods A-ERR-21", () =>
    Effect.gen(function* () {
      const hints = {
        "/v1/parcel": "/v1/parcels (GET, POST)",
        "/v1/parcels/": "/v1/parcels (GET, POST)",
        "/V1/Parcels": "/v1/parcels (GET, POST)",
        "//v1//parcels": "/v1/parcels (GET, POST)",
        "/parcels": "/v1/parcels (GET, POST)",
        "/v2/parcels": "/v1/parcels (GET, POST)",
        "/api/v1/parcels": "/v1/parcels (GET, POST)",
        "/v1/parcels/abc/": "/v1/parcels/{id} (GET, PATCH)",
        "/v1/parcel/abc/cancell": "/v1/parcels/{id}/cancel (POST)",
        "/parcel/abc": "/v1/parcels/{id} (GET, PATCH)"
      }
      for (const [path, near] of Object.entries(hints)) {
        const { message } = (yield* call(`GET ${path}`)).json.error
        assert.strictEqual(message, `No route matches GET ${path}. The nearest path is ${near}.`)
      }
      const { message } = (yield* call("POST /v1/parcels/bulk_resend")).json.error
      assert.strictEqual(
        message,
        "No route matches POST /v1/parcels/bulk_resend. This path takes GET, PATCH. The nearest path is /v1/parcels/bulk-resend (POST)."
      )
    })
  )

  it.effect("names no path for one that is far from all, long, or outside the contract A-ERR-21", () =>
    Effect.gen(function* () {
      const long = `/v1/parcel/${"x".repeat(120)}`
      for (const path of ["/", "/v1", "/pag", "/v1/letters", "/v1/letters/abc", "/v1/parcels/abc/burn", long]) {
        assert.strictEqual((yield* call(`GET ${path}`)).json.error.message, `No route matches GET ${path}.`)
      }
    })
  )

  it.effect("writes no control character of a path into the message A-ERR-21", () =>
    Effect.gen(function* () {
      const lines = ["GET /v1/parcel\u0009s HTTP/1.1", "GET /v1/\u001b[2J HTTP/1.1", "GET /v1/\u009b2J HTTP/1.1"]
      for (const line of lines) {
        const text = yield* exchange(Buffer.from(`${line}\r\nHost: x\r\nConnection: close\r\n\r\n`, "latin1"))
        const { message } = parseAnswer(text).answer.json.error
        assert.match(message, /^[\x20-\x7e]+$/)
      }
    })
  )

  it.effect(
    'answers 404 and never 405 for a known path with another method, with Allow A-ERR-20 gaps-1 "Amendments of November 2026"',
    () =>
      Effect.gen(function* () {
        for (const method of ["PUT", "DELETE", "OPTIONS", "PROPFIND"]) {
          const answer = yield* call(`${method} /v1/parcels`)
          assert.deepStrictEqual([answer.status, answer.json.error.code], [404, "route_not_found"])
          assert.strictEqual(answer.headers.allow, "GET, POST")
          assert.include(answer.json.error.message, "This path takes GET, POST.")
          assert.isFalse(Object.keys(answer.headers).some((name) => name.startsWith("access-control")))
        }
        assert.notProperty((yield* call("GET /v1/nothing")).headers, "allow")
        const long = yield* call(`GET /v1/parcels/${"x".repeat(300)}/cancel`)
        assert.match(long.json.error.message, /x This path takes POST\.$/)
        assert.isAtMost(long.json.error.message.length, 256)
      })
  )

  it.effect("matches paths by case and without a trailing slash A-ERR-20", () =>
    Effect.gen(function* () {
      for (const path of [
        "/v1/parcels/",
        "/v1/Parcels",
        "/V1/parcels",
        "/v1//parcels",
        "//v1/parcels",
        "/v1/parcels/a/"
      ]) {
        assert.strictEqual((yield* call(`GET ${path}`)).json.error.code, "route_not_found", path)
      }
    })
  )

  it.effect("prefers static segments for every method, so they are never read as an id A-ERR-20", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* call("GET /v1/parcels/listen")).json.listening, true)
      assert.strictEqual((yield* call("GET /v1/parcels/bulk-resend")).json.error.code, "route_not_found")
      assert.strictEqual((yield* call("POST /v1/parcels/listen/cancel")).json.error.code, "route_not_found")
    })
  )

  it.effect("answers HEAD as its GET without a body, except where there is none A-ERR-20", () =>
    Effect.gen(function* () {
      const get = yield* call("GET /v1/parcels/abc")
      const head = yield* call("HEAD /v1/parcels/abc")
      assert.strictEqual(head.status, 200)
      assert.strictEqual(head.text, "")
      assert.strictEqual(head.headers["content-length"], get.headers["content-length"])
      const listen = yield* call("HEAD /v1/parcels/listen")
      assert.deepStrictEqual([listen.status, listen.text], [404, ""])
    })
  )

  it.effect("decodes path parameters once, and leaves a malformed escape to the resource's own 404 A-CONV-21", () =>
    Effect.gen(function* () {
      const id = (path: string) => Effect.map(call(`GET /v1/parcels/${path}`), (answer) => answer.json.id)
      assert.strictEqual(yield* id("a.b..c"), "a.b..c")
      assert.strictEqual(yield* id("a%2Fb"), "a/b")
      assert.strictEqual(yield* id("%252F"), "%2F")
      assert.strictEqual(yield* id("%F0%9F%93%AE"), "📮")
      assert.strictEqual(yield* id("a+b"), "a+b")
      for (const bad of ["%", "%zz", "%ff", "%C3"]) assert.strictEqual(yield* id(bad), bad)
    })
  )

  it.effect("accepts the absolute form of a target and ignores its authority A-VER-04", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* call("GET http://elsewhere.example/v1/parcels/abc")).json.id, "abc")
      assert.strictEqual((yield* call("OPTIONS *")).json.error.code, "route_not_found")
    })
  )

  it.effect("gives every response its ids and security headers A-CONV-22 A-CONV-23", () =>
    Effect.gen(function* () {
      for (const line of ["GET /v1/parcels/abc", "GET /v1/nothing", "POST /v1/parcels"]) {
        const { headers, json } = yield* call(line)
        assert.match(headers["svc-request-id"] ?? "", /^req_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
        assert.match(headers["svc-trace-id"] ?? "", /^[0-9a-f]{32}$/)
        assert.strictEqual(headers["cache-control"], "no-store")
        assert.strictEqual(headers["x-content-type-options"], "nosniff")
        assert.strictEqual(headers["strict-transport-security"], "max-age=31536000")
        assert.strictEqual(json.error?.trace_id ?? json.trace_id, headers["svc-trace-id"])
        if (json.error !== undefined) assert.strictEqual(json.error.request_id, headers["svc-request-id"])
      }
    })
  )

  it.effect("takes a caller's trace id of the right form and silently replaces any other A-CONV-23", () =>
    Effect.gen(function* () {
      const trace = (...values: ReadonlyArray<string>) =>
        Effect.map(
          call("GET /v1/parcels/abc", { headers: values.map((value) => ["SVC-Trace-Id", value] as const) }),
          ({ headers, json }) => {
            assert.strictEqual(headers["svc-trace-id"], json.trace_id)
            return json.trace_id
          }
        )
      assert.strictEqual(yield* trace("my_Trace-0001"), "my_Trace-0001")
      for (const values of [["short"], ["x".repeat(65)], ["has space in it"], ["my_Trace-0001", "my_Trace-0002"]]) {
        assert.match(String(yield* trace(...values)), /^[0-9a-f]{32}$/)
      }
    })
  )

  it.effect("shows a stored trace id in the body and the request's own in the header A-CONV-22", () =>
    Effect.gen(function* () {
      const { headers, json } = yield* call("GET /v1/parcels/listen")
      assert.strictEqual(json.trace_id, "stored")
      assert.match(headers["svc-trace-id"] ?? "", /^[0-9a-f]{32}$/)
    })
  )

  it.effect("trusts the forwarding header of a trusted proxy up to the last untrusted hop A-AUTH-01", () =>
    Effect.gen(function* () {
      const ip = (value: string) =>
        Effect.map(call("GET /v1/parcels/abc", { headers: [["X-Forwarded-For", value]] }), ({ json }) => json.ip)
      assert.strictEqual(yield* ip("198.51.100.1, 203.0.113.9"), "203.0.113.9")
      assert.strictEqual(yield* ip("203.0.113.9, 127.0.0.1"), "203.0.113.9")
      assert.strictEqual(yield* ip("nonsense"), "127.0.0.1")
    })
  )

  it.effect("answers pipelined requests in order on one connection A-CONV-08", () =>
    Effect.gen(function* () {
      const text = yield* exchange(
        Buffer.concat([
          requestBytes("GET /v1/parcels/one", {}, true),
          requestBytes("POST /v1/parcels", { body: { name: "two" } }, true),
          requestBytes("GET /v1/parcels/three")
        ])
      )
      const first = parseAnswer(text)
      const second = parseAnswer(first.rest)
      const third = parseAnswer(second.rest)
      assert.strictEqual(first.answer.json.id, "one")
      assert.deepStrictEqual(second.answer.json.body, { name: "two" })
      assert.strictEqual(third.answer.json.id, "three")
    })
  )

  it.effect("serves raw routes and mounted applications beside the contract A-ERR-01", () =>
    Effect.gen(function* () {
      const page = yield* call("GET /page", { anonymous: true })
      assert.deepStrictEqual([page.status, page.headers["content-type"]], [200, "image/x"])
      assert.strictEqual((yield* call("GET /broken")).json.error.code, "payload_too_large")
      assert.strictEqual((yield* call("GET /mounted/deep/path")).text, "mounted")
    })
  )
})
