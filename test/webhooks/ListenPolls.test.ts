import { Draining } from "@carteiro/http-edge/Listener.ts"
import { Activations } from "@carteiro/owners/Cluster.ts"
import { Commit } from "@carteiro/owners/Commit.ts"
import { listenFollower } from "@carteiro/runtime/webhooks/listen/Listen.ts"
import { ListenEntity } from "@carteiro/runtime/webhooks/listen/ListenEntity.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Fiber } from "effect"
import { fence, quiesce, turnBy } from "../support/OwnerTest.ts"
import { emit, idsOf, insertEvent, ListenTest, listen, loadedEnvironment, read, StreamReads } from "./ListenStage.ts"

it.layer(ListenTest, { excludeTestServices: true })("A long poll", (it) => {
  it.effect("answers at once when there are events, and asks for the usual pause A-LSN-10", () =>
    Effect.gen(function* () {
      const env = yield* loadedEnvironment
      const written = yield* emit(env, ["message.sent"])
      const found = yield* listen(env)
      assert.deepStrictEqual(idsOf(found), written)
      assert.strictEqual(found.next_poll_after_ms, 1000)
    })
  )

  it.effect("answers as soon as an event is written, and asks for no pause A-LSN-10", () =>
    Effect.gen(function* () {
      const env = yield* loadedEnvironment
      const poll = yield* Effect.forkChild(listen(env))
      yield* quiesce
      const written = yield* emit(env, ["message.sent"])
      const found = yield* Fiber.join(poll)
      assert.deepStrictEqual(idsOf(found), written)
      assert.strictEqual(found.next_poll_after_ms, 0)
    })
  )

  it.effect("answers an empty page when its time is up, not earlier A-LSN-10", () =>
    Effect.gen(function* () {
      const env = yield* loadedEnvironment
      const now = yield* Clock.currentTimeMillis
      const poll = yield* Effect.forkChild(listen(env, { deadline: now + 25_000 }))
      yield* turnBy(24_999)
      assert.isUndefined(poll.pollUnsafe())
      yield* turnBy(1)
      const found = yield* Fiber.join(poll)
      assert.deepStrictEqual(found, { data: [], has_more: false, position: 0, next_poll_after_ms: 0 })
    })
  )

  it.effect("continues to wait past filtered events, and returns a cursor after them (gaps-1 L)", () =>
    Effect.gen(function* () {
      const env = yield* loadedEnvironment
      const poll = yield* Effect.forkChild(listen(env, { types: ["message.failed"] }))
      yield* quiesce
      yield* emit(env, ["message.sent", "message.read"])
      yield* turnBy(10_000)
      assert.isUndefined(poll.pollUnsafe())
      yield* turnBy(15_000)
      const found = yield* Fiber.join(poll)
      assert.deepStrictEqual([found.data, found.position], [[], 2])
    })
  )

  it.effect("finds events within a second without a notification", () =>
    Effect.gen(function* () {
      const env = yield* loadedEnvironment
      const poll = yield* Effect.forkChild(listen(env))
      yield* quiesce
      const id = yield* insertEvent(env)
      yield* turnBy(1000)
      assert.deepStrictEqual(idsOf(yield* Fiber.join(poll)), [id])
    })
  )

  it.effect("is woken by a commit on another node while it waits, and without a poll no owner is woken", () =>
    Effect.gen(function* () {
      const [waited, quiet] = [yield* loadedEnvironment, yield* loadedEnvironment]
      const commit = yield* Commit
      const activations = yield* Activations
      const named: Array<unknown> = []
      commit.after((outcome) => void named.push(outcome[listenFollower.name]))
      const poll = yield* Effect.forkChild(listen(waited))
      yield* quiesce
      yield* emit(quiet, ["message.sent"])
      assert.deepStrictEqual(
        named.filter((keys) => Array.isArray(keys) && keys.includes(quiet)),
        []
      )
      const id = yield* insertEvent(waited)
      activations.wake(ListenEntity.name, waited)
      assert.deepStrictEqual(idsOf(yield* Fiber.join(poll)), [id])
      yield* emit(waited, ["message.sent"])
      assert.deepInclude(named, [waited])
    })
  )

  it.effect("costs two statements per event for a hundred listeners with filters of their own", () =>
    Effect.gen(function* () {
      const env = yield* loadedEnvironment
      const reads = yield* StreamReads
      const polls = yield* Effect.forEach(
        Array.from({ length: 100 }, (_, i) => i),
        (i) => Effect.forkChild(listen(env, i % 4 === 3 ? { types: ["message.failed"] } : { limit: 1 + (i % 2) }))
      )
      yield* quiesce
      const before = reads.count
      const written = yield* emit(env, ["message.sent", "message.sent", "message.read"])
      yield* quiesce
      assert.isAtMost(reads.count - before, 2)
      const answered = polls.filter((poll) => poll.pollUnsafe() !== undefined)
      assert.strictEqual(answered.length, 75)
      const order = idsOf(yield* read(env))
      assert.sameMembers(order, written)
      for (const [i, poll] of polls.entries()) {
        if (i % 4 === 3) continue
        const limit = 1 + (i % 2)
        const found = yield* Fiber.join(poll)
        assert.deepStrictEqual(idsOf(found), order.slice(0, limit))
        assert.deepStrictEqual([found.has_more, found.position], [true, limit])
      }
      yield* turnBy(25_000)
      for (const [i, poll] of polls.entries())
        if (i % 4 === 3) assert.strictEqual((yield* Fiber.join(poll)).position, 3)
    })
  )

  it.effect("is one of at most five for its key, and a sixth is refused until a slot is free A-LSN-17", () =>
    Effect.gen(function* () {
      const env = yield* loadedEnvironment
      const owners = yield* ListenEntity.client
      const now = yield* Clock.currentTimeMillis
      const open = (poll_id: string, wait: number) =>
        listen(env, { poll_id, api_key_id: "key_a", deadline: now + wait })
      const polls = yield* Effect.forEach([9, 8, 7, 6, 5], (n) => Effect.forkChild(open(`five_${n}`, n * 1000)))
      yield* quiesce
      const refused = yield* Effect.flip(open("sixth", 1000))
      assert.deepStrictEqual([refused._tag, refused.retry_after_ms], ["rate_limited", 5000])
      const sibling = yield* Effect.forkChild(listen(env, { api_key_id: "key_b" }))
      yield* quiesce
      assert.isUndefined(sibling.pollUnsafe())

      yield* owners.Leave(env, { poll_id: "five_9" })
      const seventh = yield* Effect.forkChild(open("seventh", 9000))
      yield* turnBy(5000)
      assert.isUndefined(seventh.pollUnsafe())
      const eighth = yield* Effect.forkChild(open("eighth", 9000))
      yield* turnBy(20_000)
      for (const poll of [...polls, seventh, eighth, sibling])
        assert.deepStrictEqual((yield* Fiber.join(poll)).data, [])
    })
  )

  it.effect("holds no slot when its client disconnected before it arrived", () =>
    Effect.gen(function* () {
      const env = yield* loadedEnvironment
      const owners = yield* ListenEntity.client
      yield* owners.Leave(env, { poll_id: "gone" })
      const found = yield* listen(env, { poll_id: "gone" })
      assert.deepStrictEqual(found.data, [])
    })
  )

  it.effect("answers with its last cursor when its node loses the environment", () =>
    Effect.gen(function* () {
      const env = yield* loadedEnvironment
      yield* emit(env, ["message.sent"])
      const poll = yield* Effect.forkChild(listen(env, { after: 1 }))
      yield* quiesce
      yield* fence(env)
      yield* insertEvent(env)
      yield* turnBy(1000)
      const found = yield* Fiber.join(poll)
      assert.deepStrictEqual([found.data, found.position], [[], 1])
    })
  )
})

it.layer(ListenTest, { excludeTestServices: true })("A long poll at a stopping node", (it) => {
  it.effect("answers at once when the node stops, and later ones do not wait", () =>
    Effect.gen(function* () {
      const env = yield* loadedEnvironment
      const draining = yield* Draining
      const polls = yield* Effect.forEach([1, 2, 3], () => Effect.forkChild(listen(env)))
      yield* quiesce
      yield* draining.begin
      for (const poll of polls) assert.deepStrictEqual((yield* Fiber.join(poll)).data, [])
      const written = yield* emit(env, ["message.sent"])
      assert.deepStrictEqual(idsOf(yield* listen(env)), written)
      assert.deepStrictEqual((yield* listen(env, { after: 1 })).data, [])
    })
  )
})
