import { createServer, type Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { delivery, outbound, serve } from "./Servers.ts"

/** What a receiver does with the request of that number on one connection, from 0. */
type Turn = (socket: Socket, request: number) => void

/** A receiver of connections that stay open; it counts them, and the requests on all of them. */
const keeping = (turn: Turn, totalTimeoutMs = 15_000) =>
  Effect.gen(function* () {
    const seen = { connections: 0, requests: 0 }
    const { port } = yield* serve(
      createServer((socket) => {
        let request = 0
        seen.connections++
        // Head and body may come apart; every body ends the same way.
        socket.on("data", (chunk: Buffer) => {
          if (!chunk.toString().endsWith(body)) return
          seen.requests++
          turn(socket, request++)
        })
      })
    )
    const { post } = yield* outbound({ allowlist: new Set([`http://127.0.0.1:${port}`]) })
    // A connection is free again one turn after its answer.
    const send = Effect.tap(post(delivery(`http://127.0.0.1:${port}/hook`, { totalTimeoutMs })), twoTurns)
    return { seen, send }
  })

const twoTurns = Effect.callback<void>(
  (resume) => void setImmediate(() => void setImmediate(() => resume(Effect.void)))
)

const { body } = delivery("") as { readonly body: string }
const accept = (socket: Socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok")

describe("Outbound over connections that were kept", () => {
  for (const [how, end] of [
    ["closes", (socket: Socket) => socket.end()],
    ["resets", (socket: Socket) => socket.resetAndDestroy()]
  ] as const) {
    it.effect(`repeats a request once when the receiver ${how} a kept connection at its use A-WHT-06`, () =>
      Effect.gen(function* () {
        const { seen, send } = yield* keeping((socket, request) => (request === 0 ? accept(socket) : end(socket)))
        assert.strictEqual((yield* send).status_code, 200)
        assert.strictEqual((yield* send).status_code, 200)
        assert.deepStrictEqual(seen, { connections: 2, requests: 3 })
      })
    )
  }

  it.effect("sends once only to a receiver that ends every connection unanswered A-WHV-07", () =>
    Effect.gen(function* () {
      const { seen, send } = yield* keeping((socket) => socket.resetAndDestroy())
      assert.strictEqual((yield* send).failure_class, "unreachable")
      assert.deepStrictEqual(seen, { connections: 1, requests: 1 })
    })
  )

  it.effect("gives up when the fresh connection ends unanswered too A-WHV-07", () =>
    Effect.gen(function* () {
      let up = true
      const { seen, send } = yield* keeping((socket) => (up ? accept(socket) : socket.resetAndDestroy()))
      yield* send
      up = false
      assert.strictEqual((yield* send).failure_class, "unreachable")
      assert.deepStrictEqual(seen, { connections: 2, requests: 3 })
    })
  )

  it.effect("does not repeat a request that was answered in part A-WHV-07", () =>
    Effect.gen(function* () {
      const { seen, send } = yield* keeping((socket, request) =>
        request === 0 ? accept(socket) : socket.end("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc")
      )
      yield* send
      assert.strictEqual((yield* send).failure_class, "unreachable")
      assert.deepStrictEqual(seen, { connections: 1, requests: 2 })
    })
  )

  it.effect("waits no longer for both attempts than for one A-WHV-07", () =>
    Effect.gen(function* () {
      const { seen, send } = yield* keeping((socket, request) => {
        if (request === 0 && seen.connections === 1) accept(socket)
        else if (request === 1) socket.end()
      }, 100)
      yield* send
      const second = yield* send
      assert.deepStrictEqual(
        [second.failure_class, second.error_message],
        ["timeout", "The attempt took longer than allowed."]
      )
      assert.deepStrictEqual(seen, { connections: 2, requests: 3 })
    })
  )
})
