import { EventEmitter } from "node:events"
import { assert, describe, it } from "@effect/vitest"
import { Context, Deferred, Effect, type Exit, Fiber } from "effect"
import type { Operation } from "../../packages/http-edge/contract/Route.ts"
import type { Exchange } from "../../packages/http-edge/listener/Exchange.ts"
import { RunningCalls } from "../../packages/http-edge/listener/RunningCalls.ts"
import { hostFault } from "../../packages/http-edge/pipeline/RequestHead.ts"

const exchangeOf = (method: string) => {
  const response = Object.assign(new EventEmitter(), { writableEnded: false })
  return { response, exchange: { head: { method }, response, span: undefined } as unknown as Exchange }
}
const route = (isCounted: boolean) => ({ isCounted, context: Context.empty() }) as unknown as Operation

/** Starts a request that lasts until `done`; `exits` gets its end. */
const start = (running: RunningCalls, method: string, isCounted = true) => {
  const { exchange, response } = exchangeOf(method)
  const done = Deferred.makeUnsafe<string>()
  const exits: Array<Exit.Exit<string, unknown>> = []
  running.attempt(exchange, route(isCounted), Deferred.await(done), (exit) => exits.push(exit))
  const [fiber] = [...running.fibers].slice(-1)
  return { done, exits, response, ended: Effect.asVoid(Fiber.await(fiber as Fiber.Fiber<unknown, unknown>)) }
}

describe("Running calls", () => {
  it.effect("are limited, without the long polls among them", () =>
    Effect.gen(function* () {
      const running = new RunningCalls(1)
      const poll = start(running, "GET", false)
      assert.isFalse(running.isFull({ isCounted: true }))
      const call = start(running, "POST")
      assert.deepStrictEqual([running.counted, running.fibers.size], [1, 2])
      assert.isTrue(running.isFull({ isCounted: true }))
      assert.isFalse(running.isFull({ isCounted: false }))
      for (const { done, ended } of [poll, call]) {
        Deferred.doneUnsafe(done, Effect.succeed("sent"))
        yield* ended
      }
      assert.deepStrictEqual([running.counted, running.fibers.size], [0, 0])
    })
  )

  it.effect("of a caller who is gone are stopped when they read, and finished when they write", () =>
    Effect.gen(function* () {
      const running = new RunningCalls(2)
      const read = start(running, "GET")
      const write = start(running, "POST")
      for (const { response } of [read, write]) response.emit("close")
      yield* read.ended
      assert.strictEqual(read.exits[0]?._tag, "Failure")
      assert.deepStrictEqual(write.exits, [])
      Deferred.doneUnsafe(write.done, Effect.succeed("written"))
      yield* write.ended
      assert.strictEqual(write.exits[0]?._tag, "Success")
    })
  )

  it("that end at once are answered at once", () => {
    const running = new RunningCalls(1)
    const exits: Array<unknown> = []
    running.attempt(exchangeOf("GET").exchange, route(true), Effect.succeed("known"), ({ _tag }) => exits.push(_tag))
    assert.deepStrictEqual([exits, running.fibers.size], [["Success"], 0])
  })
})

describe("The host of a request", () => {
  it("is one, and may be missing before HTTP/1.1 A-ERR-23", () => {
    const faults = (version: string) => [0, 1, 2].map((hosts) => hostFault({ hosts }, version) !== undefined)
    assert.deepStrictEqual(faults("1.1"), [true, false, true])
    assert.deepStrictEqual(faults("1.0"), [false, false, true])
  })
})
