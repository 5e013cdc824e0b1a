import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SampleServer } from "./SampleServer.ts"
import { call, exchange, parseAnswer, requestBytes, type WireRequest } from "./Wire.ts"

const post = (options: WireRequest) => call("POST /v1/parcels", options)
const refused = (options: WireRequest) =>
  Effect.map(post(options), ({ status, json }) => [status, json.error?.code, json.error?.type] as const)
const limit = 10_485_760

it.layer(SampleServer, { excludeTestServices: true })("Bodies", (it) => {
  it.effect("accepts application/json with charset utf-8 only, else 415 http_exception A-ERR-23", () =>
    Effect.gen(function* () {
      const withType = (type: string) => post({ body: { name: "a" }, headers: [["Content-Type", type]] })
      for (const type of [
        "application/json",
        "Application/JSON; charset=UTF-8",
        'application/json;charset="utf-8"',
        "application/json; profile=x"
      ]) {
        assert.strictEqual((yield* withType(type)).status, 201, type)
      }
      for (const type of [
        "text/plain",
        "application/json; charset=latin1",
        "application/jsonx",
        "multipart/form-data",
        ""
      ]) {
        const { status, json } = yield* withType(type)
        assert.deepStrictEqual(
          [status, json.error.code, json.error.type],
          [415, "http_exception", "validation_error"],
          type
        )
      }
    })
  )

  it.effect("refuses a content encoding other than identity with 415 A-ERR-23", () =>
    Effect.gen(function* () {
      const encoded = (value: string) => post({ body: { name: "a" }, headers: [["Content-Encoding", value]] })
      assert.strictEqual((yield* encoded("identity")).status, 201)
      assert.strictEqual((yield* encoded("gzip")).json.error.code, "http_exception")
    })
  )

  it.effect("answers 400 http_exception for malformed JSON, invalid UTF-8 and a missing body A-ERR-22", () =>
    Effect.gen(function* () {
      const bodies = [
        "{",
        "{'a':1}",
        "",
        "nul",
        '{"a":1}x',
        "\ufeff{}",
        Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])
      ]
      for (const body of bodies) {
        assert.deepStrictEqual(yield* refused({ body }), [400, "http_exception", "validation_error"], String(body))
      }
      assert.deepStrictEqual(yield* refused({}), [400, "http_exception", "validation_error"])
    })
  )

  it.effect("takes no body at all as an empty object where every field is optional A-ERR-22", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* call("PATCH /v1/parcels/a")).json.body, {})
    })
  )

  it.effect("accepts 32 levels of nesting and refuses 33 A-ERR-22", () =>
    Effect.gen(function* () {
      const nested = (levels: number) => `{"name":"a","x":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`
      assert.deepStrictEqual(yield* refused({ body: nested(33) }), [400, "http_exception", "validation_error"])
      assert.deepStrictEqual(yield* refused({ body: nested(32) }), [400, "invalid_parcel_request", "validation_error"])
      const inString = JSON.stringify({ name: "a", note: '[[[["{{{' })
      assert.strictEqual((yield* post({ body: inString })).status, 201)
    })
  )

  it.effect("lets the last of a duplicate key win A-ERR-22", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* post({ body: '{"name":"first","name":"last"}' })).json.body, { name: "last" })
    })
  )

  it.effect("answers the route's own code without param for JSON that is not an object A-ERR-02", () =>
    Effect.gen(function* () {
      for (const body of ["[]", "null", '"text"', "1", "true"]) {
        const { status, json } = yield* post({ body })
        assert.deepStrictEqual([status, json.error.code], [400, "invalid_parcel_request"], body)
        assert.notProperty(json.error, "param")
      }
    })
  )

  it.effect("reads chunked bodies A-LIM-03", () =>
    Effect.gen(function* () {
      const { status, json } = parseAnswer(
        yield* exchange(
          "POST /v1/parcels HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer k\r\nContent-Type: application/json\r\n" +
            'Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n8\r\n{"name":\r\n5\r\n"abc"\r\n1\r\n}\r\n0\r\n\r\n'
        )
      ).answer
      assert.deepStrictEqual([status, json.body], [201, { name: "abc" }])
    })
  )

  it.effect("ignores any body within the limit where the route takes none A-LIM-01", () =>
    Effect.gen(function* () {
      const headers = [["Content-Type", "text/weird"]] as const
      assert.strictEqual((yield* call("POST /v1/parcels/a/cancel", { body: "not json", headers })).status, 200)
      assert.strictEqual((yield* call("GET /v1/parcels/a", { body: "not json", headers })).status, 200)
    })
  )

  it.effect(
    "answers a declared body over 10 MB with 413 before reading it, and closes A-LIM-01 A-ERR-14 A-ERR-24",
    () =>
      Effect.gen(function* () {
        const declared = (length: number) =>
          exchange(
            requestBytes(
              "POST /v1/parcels",
              {
                headers: [
                  ["Content-Length", String(length)],
                  ["Content-Type", "text/x"]
                ]
              },
              true
            ),
            (_soFar, socket) => void socket.end()
          )
        const { answer, rest } = parseAnswer(yield* declared(limit + 1))
        assert.deepStrictEqual(
          [answer.status, answer.json.error.code, answer.json.error.type],
          [413, "payload_too_large", "validation_error"]
        )
        assert.notProperty(answer.json.error, "param")
        assert.strictEqual(answer.headers.connection, "close")
        assert.strictEqual(rest, "")
      })
  )

  it.effect("accepts exactly 10,485,760 bytes A-LIM-01", () =>
    Effect.gen(function* () {
      const frame = '{"name":"a"}'
      const body = frame + " ".repeat(limit - frame.length)
      assert.strictEqual((yield* post({ body })).status, 201)
    })
  )

  it.effect("cuts a streamed body at the limit with 413 and closes, running nothing behind it A-LIM-03 A-ERR-24", () =>
    Effect.gen(function* () {
      const chunk = `10000\r\n${"x".repeat(65_536)}\r\n`
      const head =
        "POST /v1/parcels HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer k\r\nContent-Type: application/json\r\n" +
        "Transfer-Encoding: chunked\r\n\r\n"
      const text = yield* exchange(
        Buffer.concat([Buffer.from(`${head}${chunk.repeat(161)}0\r\n\r\n`), requestBytes("GET /v1/parcels/behind")]),
        (_soFar, socket) => void socket.end()
      )
      const { answer, rest } = parseAnswer(text)
      assert.deepStrictEqual([answer.status, answer.json.error.code, rest], [413, "payload_too_large", ""])
      assert.strictEqual(answer.headers.connection, "close")
    })
  )

  it.effect("holds a route to its own limit A-LIM-01", () =>
    Effect.gen(function* () {
      const big = { name: "a", pad: "x".repeat(1024) }
      assert.strictEqual((yield* call("POST /v1/parcels/a/simulate", { body: big })).status, 413)
    })
  )

  it.effect("hands byte routes an unread body and asks no key of them (traits of capability URLs)", () =>
    Effect.gen(function* () {
      const upload = (size: number) =>
        call("PUT /v1/parcels/blobs/b1", {
          anonymous: true,
          body: Buffer.alloc(size),
          headers: [["Content-Type", "image/png"]]
        })
      const { json } = yield* upload(4096)
      assert.deepStrictEqual([json.bytes, json.type, json.caller], [4096, "image/png", ""])
      assert.strictEqual((yield* upload(4097)).status, 413)
    })
  )

  it.effect("answers Expect: 100-continue with leave only when the request could be taken A-ERR-24", () =>
    Effect.gen(function* () {
      const expecting = (line: string, length: number) =>
        exchange(
          requestBytes(line, {
            headers: [
              ["Expect", "100-continue"],
              ["Content-Length", String(length)],
              ["Content-Type", "application/json"]
            ]
          }),
          (soFar, socket) => void (soFar.startsWith("HTTP/1.1 100") ? socket.write('{"name":"a"}') : socket.end())
        )
      const taken = yield* expecting("POST /v1/parcels", 12)
      assert.isTrue(taken.startsWith("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201"))
      assert.isTrue((yield* expecting("POST /v1/parcels", limit + 1)).startsWith("HTTP/1.1 413"))
      assert.isTrue((yield* expecting("POST /v1/nothing", 12)).startsWith("HTTP/1.1 404"))
    })
  )
})
