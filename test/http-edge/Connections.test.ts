import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SampleServer } from "./SampleServer.ts"
import { exchange, parseAnswer, requestBytes, type WireAnswer } from "./Wire.ts"

/** The answers of a connection, in their order. */
const answersIn = (text: string): ReadonlyArray<WireAnswer> => {
  if (text === "") return []
  const { answer, rest } = parseAnswer(text)
  return [answer, ...answersIn(rest)]
}

it.layer(SampleServer, { excludeTestServices: true })("Connections", (it) => {
  it.effect("answers pipelined requests in their order, however many come in one write A-CONV-22", () =>
    Effect.gen(function* () {
      const count = 500
      const requests = Array.from({ length: count }, (_, n) => requestBytes(`GET /v1/parcels/p${n}`, {}, n < count - 1))
      const answers = answersIn(yield* exchange(Buffer.concat(requests)))
      assert.deepStrictEqual(
        answers.map(({ json, status }) => [status, json.id]),
        Array.from({ length: count }, (_, n) => [200, `p${n}`])
      )
      assert.lengthOf(new Set(answers.map(({ headers }) => headers["svc-request-id"])), count)
    })
  )

  it.effect("answers pipelined requests with bodies A-ERR-24", () =>
    Effect.gen(function* () {
      const post = (name: string) => requestBytes("POST /v1/parcels", { body: { name } }, true)
      const last = requestBytes("GET /v1/parcels/last")
      const all = yield* exchange(Buffer.concat([post("a"), post("b"), last]))
      assert.deepStrictEqual(
        answersIn(all).map(({ status }) => status),
        [201, 201, 200]
      )
    })
  )

  it.effect("answers a client that has shut its half after the request", () =>
    Effect.gen(function* () {
      const all = yield* exchange(requestBytes("GET /v1/parcels/a", {}, true), (_soFar, socket) => void socket.end())
      assert.strictEqual(parseAnswer(all).answer.status, 200)
      const halfClosed = yield* exchange(requestBytes("POST /v1/parcels", { body: { name: "late" } }), undefined, true)
      assert.strictEqual(parseAnswer(halfClosed).answer.status, 201)
    })
  )

  it.effect("refuses a request with two Host headers A-ERR-23", () =>
    Effect.gen(function* () {
      const text = yield* exchange("GET /v1/parcels/a HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n")
      const { answer } = parseAnswer(text)
      assert.deepStrictEqual([answer.status, answer.json.error.code], [400, "http_exception"])
      assert.strictEqual(answer.json.error.message, "The request has more than one Host header.")
    })
  )
})
