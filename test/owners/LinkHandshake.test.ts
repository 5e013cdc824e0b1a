import { connect, Socket } from "node:net"
import { connect as connectTls } from "node:tls"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Redacted, Scope } from "effect"
import { TestClock } from "effect/testing"
import { vi } from "vitest"
import { selfSigned } from "../../packages/outbound/test/Certificates.ts"
import { handshakeWithinMs } from "../../packages/owners/cluster/RunnerSockets.ts"
import { answerQuestion, question } from "../../packages/owners/link/Handshake.ts"
import type { LinkedOperation } from "../../packages/owners/link/Links.ts"
import { until } from "../support/Until.ts"
import { callerWith, runnerOf } from "./LinkPair.ts"

const echo: LinkedOperation = ({ id, items }) => Effect.succeed(items.map((item) => ({ ok: [id, item] })))

/** Says something to a runner's socket in pieces. Returns the first line that it answers. */
const say = (port: number, pieces: ReadonlyArray<string>) =>
  Effect.callback<string>((resume) => {
    const socket = connect({ host: "localhost", port, noDelay: true })
    const next = (at: number) => {
      socket.write(pieces[at] ?? "", () => {
        if (at + 1 < pieces.length) setImmediate(() => next(at + 1))
      })
    }
    let said = ""
    socket.on("connect", () => next(0))
    socket.on("error", () => undefined)
    socket.on("data", (data) => {
      said += data.toString("latin1")
      const end = said.indexOf("\n")
      if (end < 0) return
      socket.destroy()
      resume(Effect.succeed(said.slice(0, end)))
    })
  })

describe("The handshake of a link", () => {
  it.effect(
    "a runner without a link, or of another version, leaves its callers to the library, and is asked again later",
    () =>
      Effect.gen(function* () {
        const runner = yield* runnerOf({ Echo: echo }, { link: false })
        const caller = yield* callerWith()
        caller.learn(runner.address)
        yield* until(Effect.sync(() => runner.heard().includes("\n")))
        assert.strictEqual(runner.heard(), '{"_tag":"Ping","link":[1]}\n')
        assert.isFalse(caller.hasLink("Echo"))
        yield* TestClock.adjust("9 seconds")
        caller.learn(runner.address)
        assert.strictEqual(runner.connections(), 1)
        yield* until(
          Effect.andThen(
            TestClock.adjust("1 second"),
            Effect.sync(() => {
              caller.learn(runner.address)
              return runner.connections() === 2
            })
          )
        )
      })
  )

  it.effect(
    "a caller of the library, or of other versions of the link, reaches the library with all that it said",
    () =>
      Effect.gen(function* () {
        const runner = yield* runnerOf({ Echo: echo })
        const lines = ['{"_tag":"Ping"}\n', '{"_tag":"Ping","link":[2,11]}\n', '{"_tag":"Request","id":"1"}\n']
        for (const line of lines) {
          assert.strictEqual(yield* say(runner.address.port, [...line]), '{"_tag":"Pong"}')
          assert.strictEqual(yield* say(runner.address.port, [line]), '{"_tag":"Pong"}')
        }
        assert.include(runner.heard(), lines[2] ?? "nothing")
        for (const versions of ["1", "2,1", "1,2"])
          assert.strictEqual(
            yield* say(runner.address.port, ['{"_tag":"Ping","li', `nk":[${versions}]}\n`]),
            '{"_tag":"Link","version":1}'
          )
      })
  )

  it.effect("a caller that says nothing does not keep a runner from stopping, nor does one with a link", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const runner = yield* Scope.provide(runnerOf({ Echo: echo }), scope)
      const caller = yield* callerWith()
      yield* caller.connect(runner.address, "Echo")
      const silent = connect({ host: "localhost", port: runner.address.port })
      const closed = Effect.callback<void>((resume) => void silent.once("close", () => resume(Effect.void)))
      yield* Effect.callback<void>((resume) => void silent.once("connect", () => resume(Effect.void)))
      // A second connection is answered: the first one was taken before.
      yield* say(runner.address.port, ['{"_tag":"Ping"}\n'])
      const gone = yield* Effect.forkChild(closed, { startImmediately: true })
      yield* Scope.close(scope, Exit.void)
      yield* Fiber.join(gone)
      yield* until(Effect.sync(() => !caller.hasLink("Echo")))
    })
  )

  it.effect("nodes with certificates link to each other, and a stranger gets no link", () =>
    Effect.gen(function* () {
      const { cert, key } = selfSigned("localhost")
      const tls = { cert, key: Redacted.make(key), ca: cert }
      const stranger = selfSigned("localhost")
      const runner = yield* runnerOf({ Echo: echo }, { tls })
      const caller = yield* callerWith({ tls })
      yield* caller.connect(runner.address, "Echo")
      assert.deepStrictEqual(yield* caller.call("Echo", [1]), [{ ok: ["owner", 1] }])
      // It believes the runner, and the runner does not believe it.
      const said = yield* Effect.callback<string>((resume) => {
        const { port } = runner.address
        const socket = connectTls({ host: "localhost", port, ca: cert, cert: stranger.cert, key: stranger.key })
        let said = ""
        socket.on("secureConnect", () => socket.write(question))
        socket.on("data", (data) => {
          said += data.toString()
          socket.end()
        })
        socket.on("error", () => undefined)
        socket.on("close", () => resume(Effect.succeed(said)))
      })
      assert.strictEqual(said, "")
    })
  )

  it.effect("a caller that never ends its first line is cut off after ten seconds", () =>
    Effect.acquireUseRelease(
      Effect.sync(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })),
      () =>
        Effect.gen(function* () {
          const socket = new Socket()
          const first = yield* Effect.forkChild(answerQuestion(socket), { startImmediately: true })
          vi.advanceTimersByTime(9_999)
          assert.isFalse(socket.destroyed)
          vi.advanceTimersByTime(1)
          assert.isTrue(socket.destroyed)
          assert.isUndefined(yield* Fiber.join(first))
        }),
      () => Effect.sync(() => vi.useRealTimers())
    )
  )

  it.effect("a caller that begins no TLS, or stalls within its handshake, is cut off and reaches nobody", () =>
    Effect.gen(function* () {
      assert.strictEqual(handshakeWithinMs, 10_000)
      const { cert, key } = selfSigned("localhost")
      const tls = { cert, key: Redacted.make(key), ca: cert }
      const runner = yield* runnerOf({ Echo: echo }, { tls, handshakeMs: 20 })
      // The head of a record of TLS that promises a greeting of 512 bytes, and brings none.
      for (const begun of [Buffer.alloc(0), Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00])]) {
        yield* Effect.callback<void>((resume) => {
          const socket = connect({ host: "localhost", port: runner.address.port })
          socket.on("connect", () => socket.write(begun))
          socket.on("error", () => undefined)
          socket.on("close", () => resume(Effect.void))
          socket.resume()
        })
      }
      assert.strictEqual(runner.connections(), 0)
    })
  )
})
