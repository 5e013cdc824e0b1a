import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SampleServer } from "./SampleServer.ts"
import { call, exchange, parseAnswer } from "./Wire.ts"

const raw = (text: string) =>
  Effect.map(
    exchange(text, (_soFar, socket) => void socket.end()),
    (all) => parseAnswer(all).answer
  )

it.layer(SampleServer, { excludeTestServices: true })("Parser refusals", (it) => {
  const refused = (text: string, status: number) =>
    Effect.map(raw(text), ({ status: got, json, headers }) => {
      assert.deepStrictEqual([got, json.error.code, json.error.type], [status, "http_exception", "validation_error"])
      assert.match(json.error.request_id, /^req_/)
      assert.strictEqual(headers["svc-request-id"], json.error.request_id)
      assert.strictEqual(headers["svc-trace-id"], json.error.trace_id)
      assert.strictEqual(headers["cache-control"], "no-store")
      assert.strictEqual(headers.connection, "close")
    })

  it.effect("answers 400 in the envelope for a bad request line A-ERR-23 A-ERR-01", () =>
    Effect.gen(function* () {
      for (const text of [
        "nonsense\r\n\r\n",
        "GET / HTTP/9.9\r\n\r\n",
        "GET /v1/parcels/a b HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /v1/parcels HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n",
        "POST /v1/parcels HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"
      ]) {
        yield* refused(text, 400)
      }
    })
  )

  it.effect("answers 400 for a malformed chunk A-ERR-23", () =>
    refused(
      "POST /v1/parcels HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer k\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      400
    )
  )

  it.effect("answers 400 for a request without Host A-ERR-23", () => refused("GET /v1/parcels HTTP/1.1\r\n\r\n", 400))

  it.effect("answers 431 for a header block over 32 KiB and takes one below it A-ERR-23", () =>
    Effect.gen(function* () {
      yield* refused(`GET /v1/parcels HTTP/1.1\r\nHost: x\r\nX-Pad: ${"x".repeat(33_000)}\r\n\r\n`, 431)
      const answer = yield* call("GET /v1/parcels/a", { headers: [["X-Pad", "x".repeat(32_000)]] })
      assert.strictEqual(answer.status, 200)
    })
  )

  it.effect("answers 417 for an unknown expectation A-ERR-23", () =>
    refused("POST /v1/parcels HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\nContent-Length: 2\r\n\r\n{}", 417)
  )
})
