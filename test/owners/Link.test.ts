import type { Socket as NetSocket } from "node:net"
import { ServiceUnavailable } from "@carteiro/schema/conventions/SharedErrors.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { packFrames } from "../../packages/owners/link/Frames.ts"
import type { LinkedOperation } from "../../packages/owners/link/Links.ts"
import type { Outcome } from "../../packages/owners/protocol/Behaviour.ts"
import { until } from "../support/Until.ts"
import { callerWith, firstEpoch, runnerOf, runnerThat, shard } from "./LinkPair.ts"

const echo: LinkedOperation = ({ id, items }) => Effect.succeed(items.map((item) => ({ ok: [id, item] })))
const never: LinkedOperation = () => Effect.never
const unavailable: Outcome<unknown> = { retry: "unavailable" }
const started = <A, E>(effect: Effect.Effect<A, E>) => Effect.forkChild(effect, { startImmediately: true })

describe("A link between two nodes", () => {
  it.effect("carries the calls of all owners and operations, each answered for itself", () =>
    Effect.gen(function* () {
      const refused: LinkedOperation = ({ items }) =>
        Effect.succeed(items.map((_, at) => (at % 2 === 0 ? { ok: undefined } : { retry: "fenced" as const })))
      const runner = yield* runnerOf({ Echo: echo, Refused: refused })
      const caller = yield* callerWith()
      yield* caller.connect(runner.address, "Refused")
      const [first, second, third] = yield* Effect.all(
        [
          caller.call("Echo", [1, 2], 10_000, "a"),
          caller.call("Refused", [1, 2]),
          caller.call("Echo", ["ü"], 10_000, "b")
        ],
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(first, [{ ok: ["a", 1] }, { ok: ["a", 2] }])
      assert.deepStrictEqual(second, [{ ok: undefined }, { retry: "fenced" }])
      assert.deepStrictEqual(third, [{ ok: ["b", "ü"] }])
    })
  )

  it.effect("carries no operation that the other node has not, until it has", () =>
    Effect.gen(function* () {
      const runner = yield* runnerOf({ Echo: echo })
      const caller = yield* callerWith()
      yield* caller.connect(runner.address, "Echo")
      assert.strictEqual(yield* caller.call("Later", [1]), "no link")
      runner.answer("Later", echo)
      yield* until(Effect.sync(() => caller.hasLink("Later")))
      assert.deepStrictEqual(yield* caller.call("Later", [1]), [{ ok: ["owner", 1] }])
    })
  )

  it.effect(
    "a node that lost the shard, or holds it under another epoch, does not answer: the caller looks again",
    () =>
      Effect.gen(function* () {
        let asked = 0
        const counted: LinkedOperation = (call) => {
          asked++
          return echo(call)
        }
        const runner = yield* runnerOf({ Echo: counted })
        const caller = yield* callerWith()
        yield* caller.connect(runner.address, "Echo")
        yield* caller.call("Echo", [1])
        runner.held.set(shard, firstEpoch + 1)
        assert.isUndefined(yield* caller.call("Echo", [1]))
        assert.strictEqual(yield* caller.call("Echo", [1]), "no link")
        yield* caller.connect(runner.address, "Echo")
        assert.isDefined(yield* caller.call("Echo", [1]))
        runner.held.delete(shard)
        assert.isUndefined(yield* caller.call("Echo", [1]))
        assert.strictEqual(asked, 2)
      })
  )

  it.effect("an owner that its node does not bring to memory is asked for elsewhere", () =>
    Effect.gen(function* () {
      const runner = yield* runnerOf({ Gone: () => Effect.undefined, Broken: () => Effect.die("broken") })
      const caller = yield* callerWith()
      for (const key of ["Gone", "Broken"]) {
        yield* caller.connect(runner.address, key)
        assert.isUndefined(yield* caller.call(key, [1]))
      }
    })
  )

  it.effect("a refusal arrives as it was, and one that this release does not know as a defect", () =>
    Effect.gen(function* () {
      const refusal = new ServiceUnavailable({ retry_after_ms: 1000 })
      const known = yield* runnerOf({ Refuse: () => Effect.succeed([{ error: refusal }]) })
      const caller = yield* callerWith()
      yield* caller.connect(known.address, "Refuse")
      assert.deepStrictEqual(yield* caller.call("Refuse", [1]), [{ error: refusal }])
      const later = yield* runnerThat("Refuse", (socket) =>
        socket.on("data", () => {
          const answer = JSON.stringify([2, 1, 5, [{ error: { _tag: "of_a_later_release" } }]])
          for (const frame of packFrames(["7", "[99]", answer])) socket.write(frame)
        })
      )
      const other = yield* callerWith()
      yield* other.connect(later.address, "Refuse")
      assert.deepStrictEqual(yield* other.call("Refuse", [1]), [{ defect: "an unknown refusal of another node" }])
    })
  )

  it.effect("a peer that answers slowly holds up no other call, and at its deadline a call ends unavailable", () =>
    Effect.gen(function* () {
      const runner = yield* runnerOf({ Echo: echo, Never: never })
      const caller = yield* callerWith()
      yield* caller.connect(runner.address, "Never")
      const slow = yield* started(caller.call("Never", [1, 2], 1000))
      assert.deepStrictEqual(yield* caller.call("Echo", [1]), [{ ok: ["owner", 1] }])
      yield* TestClock.adjust("750 millis")
      assert.isUndefined(slow.pollUnsafe())
      yield* TestClock.adjust("250 millis")
      assert.deepStrictEqual(yield* Fiber.join(slow), [unavailable, unavailable])
      assert.deepStrictEqual(yield* caller.call("Echo", [1]), [{ ok: ["owner", 1] }])
    })
  )

  it.effect("a call that arrives after its deadline is not worked on", () =>
    Effect.gen(function* () {
      let asked = 0
      const runner = yield* runnerOf({ Echo: echo, Counted: () => Effect.sync(() => [{ ok: asked++ }]) })
      const caller = yield* callerWith()
      yield* caller.connect(runner.address, "Counted")
      const late = yield* started(caller.call("Counted", [1], 0))
      yield* caller.call("Echo", [1])
      yield* TestClock.adjust("250 millis")
      assert.deepStrictEqual(yield* Fiber.join(late), [unavailable])
      assert.strictEqual(asked, 0)
    })
  )

  it.effect("refuses calls beyond the bounds of a peer as overload, and takes them again once there is room", () =>
    Effect.gen(function* () {
      const runner = yield* runnerOf({ Echo: echo, Never: never })
      for (const bounds of [{ calls: 2 }, { bytes: 40 }]) {
        const caller = yield* callerWith({ bounds })
        yield* caller.connect(runner.address, "Never")
        const waiting = yield* Effect.forEach(["a", "b"], (id) => started(caller.call("Never", ["x"], 1000, id)))
        const refused = yield* caller.call("Echo", [1, 2])
        assert.deepStrictEqual(refused, [
          { error: new ServiceUnavailable({ retry_after_ms: 1000 }) },
          { error: new ServiceUnavailable({ retry_after_ms: 1000 }) }
        ])
        yield* TestClock.adjust("1 second")
        yield* Effect.forEach(waiting, Fiber.join)
        assert.deepStrictEqual(yield* caller.call("Echo", [1]), [{ ok: ["owner", 1] }])
      }
    })
  )

  it.effect("a call longer than a frame passes whole, and a short one behind it is not held up", () =>
    Effect.gen(function* () {
      const arrived: Array<number> = []
      const sizes: LinkedOperation = ({ items }) =>
        Effect.sync(() => {
          arrived.push(String(items[0]).length)
          return [{ ok: items[0] }]
        })
      const runner = yield* runnerOf({ Sizes: sizes })
      const caller = yield* callerWith()
      yield* caller.connect(runner.address, "Sizes")
      const long = "ä".repeat(2_000_000)
      const answers = yield* Effect.all([caller.call("Sizes", [long]), caller.call("Sizes", ["short"])], {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(answers, [[{ ok: long }], [{ ok: "short" }]])
      assert.deepStrictEqual(arrived, [5, long.length])
    })
  )

  it.effect("a call or an answer longer than a link carries goes by the library", () =>
    Effect.gen(function* () {
      const long = "x".repeat(17 * 1024 * 1024)
      const runner = yield* runnerOf({ Echo: echo, Long: () => Effect.succeed([{ ok: long }]) })
      const caller = yield* callerWith()
      yield* caller.connect(runner.address, "Long")
      assert.isUndefined(yield* caller.call("Long", [1]))
      yield* caller.connect(runner.address, "Echo")
      assert.isUndefined(yield* caller.call("Echo", [long]))
    })
  )

  it.effect(
    "calls under way when the connection breaks end unavailable at once, and the next link is opened when asked",
    () =>
      Effect.gen(function* () {
        const sockets: Array<NetSocket> = []
        const runner = yield* runnerThat("Echo", (socket) => sockets.push(socket))
        const caller = yield* callerWith()
        yield* caller.connect(runner.address, "Echo")
        const waiting = yield* started(caller.call("Echo", [1]))
        sockets[0]?.destroy()
        assert.deepStrictEqual(yield* Fiber.join(waiting), [unavailable])
        assert.strictEqual(yield* caller.call("Echo", [1]), "no link")
        yield* TestClock.adjust("1 second")
        yield* caller.connect(runner.address, "Echo")
        assert.strictEqual(runner.accepted(), 2)
      })
  )

  it.effect("a frozen peer, or a connection of which only one half is left, is cut after three seconds", () =>
    Effect.gen(function* () {
      const runner = yield* runnerThat("Echo", (socket) => socket.pause())
      const caller = yield* callerWith()
      yield* caller.connect(runner.address, "Echo")
      const waiting = yield* started(caller.call("Echo", [1]))
      yield* TestClock.adjust("2900 millis")
      assert.isUndefined(waiting.pollUnsafe())
      yield* TestClock.adjust("500 millis")
      assert.deepStrictEqual(yield* Fiber.join(waiting), [unavailable])
      assert.isFalse(caller.hasLink("Echo"))
    })
  )

  it.effect("a peer that says what is no frame is cut", () =>
    Effect.gen(function* () {
      const runner = yield* runnerThat(
        "Echo",
        (socket) => void socket.once("data", () => socket.write("HTTP/1.1 400\r\n\r\n"))
      )
      const caller = yield* callerWith()
      yield* caller.connect(runner.address, "Echo")
      assert.deepStrictEqual(yield* caller.call("Echo", [1]), [unavailable])
    })
  )
})
