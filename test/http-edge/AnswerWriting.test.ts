import { createServer, type Server, type ServerResponse } from "node:http"
import { type AddressInfo, connect, type Socket } from "node:net"
import { Readable } from "node:stream"
import type { BytesReply, Reply } from "@carteiro/http-edge/Reply.ts"
import { respond } from "@carteiro/http-edge/Respond.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import { vi } from "vitest"
import { until } from "../support/Until.ts"

const ids = { requestId: "req_1", traceId: "trc_1" }

/** A server that gives one answer, a connection that has asked for it and reads nothing, and the answer's response. */
const unread = (answer: Reply | BytesReply) =>
  Effect.gen(function* () {
    let response: ServerResponse | undefined
    const server = yield* Effect.acquireRelease(
      Effect.callback<Server>((resume) => {
        const made = createServer((_request, answering) => {
          response = answering
          respond(answering, ids, answer, false)
        })
        made.listen(0, "127.0.0.1", () => resume(Effect.succeed(made)))
      }),
      (made) => Effect.sync(() => made.close())
    )
    const socket = yield* Effect.acquireRelease(
      Effect.callback<Socket>((resume) => {
        const made = connect((server.address() as AddressInfo).port, "127.0.0.1", () => resume(Effect.succeed(made)))
        made.pause()
        made.on("error", () => {})
      }),
      (made) => Effect.sync(() => void made.destroy())
    )
    socket.write("GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n")
    yield* until(Effect.sync(() => (response?.writableLength ?? 0) > 0))
    return { socket, response: () => response as ServerResponse }
  })

const readAll = (socket: Socket): Effect.Effect<Buffer, never, Scope.Scope> =>
  Effect.callback<Buffer>((resume) => {
    const pieces: Array<Buffer> = []
    socket.on("data", (piece: Buffer) => pieces.push(piece))
    socket.on("end", () => resume(Effect.succeed(Buffer.concat(pieces))))
    socket.resume()
  })

// Far more than the buffers of two sockets take.
const long = `{"data":"${"é😀x".repeat(8_000_000)}"}`

describe("A long response", () => {
  it.live("is written as its reader takes it, and arrives whole", () =>
    Effect.gen(function* () {
      const { response, socket } = yield* unread({ status: 200, body: long })
      assert.isBelow(response().writableLength, 1_000_000)
      const text = (yield* readAll(socket)).toString("utf8")
      assert.isTrue(text.endsWith(`\r\n\r\n${long}`))
    })
  )

  for (const [what, answer] of [
    ["a text", { status: 200, body: long }],
    ["a file", { status: 200, body: Readable.from(Array(1000).fill(Buffer.alloc(65_536))), headers: {} }]
  ] as const) {
    it.live(`of ${what} that nobody reads ends after half a minute without a byte taken`, () =>
      Effect.gen(function* () {
        vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] })
        yield* Effect.addFinalizer(() => Effect.sync(() => vi.useRealTimers()))
        const { response } = yield* unread(answer)
        let taken = -1
        const { socket } = response()
        const isStill = Effect.sync(() => {
          const before = taken
          taken = (socket?.bytesWritten ?? 0) - (socket?.writableLength ?? 0)
          return taken === before
        })
        yield* until(isStill)
        vi.advanceTimersByTime(30_000)
        vi.advanceTimersByTime(29_999)
        assert.isFalse(response().destroyed)
        vi.advanceTimersByTime(1)
        yield* until(Effect.sync(() => response().destroyed))
      })
    )
  }
})
