import { Activations } from "@carteiro/owners/Cluster.ts"
import { type ChatAnswer, type ChatSend, ConnectedChat } from "@carteiro/provider/ChatProvider.ts"
import * as Messages from "@carteiro/runtime/messages/room.ts"
import { readRateLimits } from "@carteiro/runtime/ratelimit/RateLimitsSetting.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Exit, Layer, Result, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { sweepFrom } from "../../packages/owners/schedule/Sweeper.ts"
import { connectionOf } from "../support/Chat.ts"
import { seedSender } from "../support/Numbers.ts"
import { ownerServices } from "../support/OwnerTest.ts"
import { create, TestDatabase } from "../support/TestDatabase.ts"
import { layerLiveClock } from "../support/TurnedClock.ts"
import { until } from "../support/Until.ts"
import { accept, hear } from "./Sending.ts"

const lifted = Result.getOrThrow(readRateLimits("off"))
const accepted: ChatAnswer = { _tag: "Accepted", provider_message_id: "up", response: {} }

/** A whole node over a database, with a provider that answers as the test says; all its state ends with its scope. */
const startOn = (url: string, send: (send: ChatSend) => Effect.Effect<ChatAnswer>) => {
  const connected = Layer.succeed(ConnectedChat, () => Effect.succeed(connectionOf(send)))
  const node = Messages.room.owners.pipe(
    Layer.provide(connected),
    Layer.provideMerge(ownerServices({}, { clock: layerLiveClock, rates: lifted, database: TestDatabase.at(url) }))
  )
  return Effect.gen(function* () {
    const scope = yield* Scope.make()
    const context = yield* Layer.buildWithMemoMap(node, Layer.makeMemoMapUnsafe(), scope)
    return { context, stop: Scope.close(scope, Exit.void) }
  })
}

const count = (what: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql.unsafe<{ readonly n: number }>(
        `select count(*)::int4 as n from messages where direction = 'outbound' and ${what}`
      ),
      ([row]) => row?.n ?? 0
    )
  )

const sweep = Effect.gen(function* () {
  const owners = yield* Messages.room.due[0]
  const activations = yield* Activations
  yield* sweepFrom(owners, "", (id) => activations.wake(owners.type, id))
})

it.live(
  "leaves messages ambiguous that were with the provider when a node crashed, and the next node sends the rest M-DLV-22 M-DLV-23",
  () =>
    Effect.gen(function* () {
      const url = yield* create()
      const reached = new Map<string, number>()
      const note = ({ message_id }: ChatSend) =>
        Effect.sync(() => void reached.set(message_id, (reached.get(message_id) ?? 0) + 1))
      const first = yield* startOn(url, (send) => Effect.andThen(note(send), Effect.never))
      yield* Effect.gen(function* () {
        const number = yield* seedSender("production")
        yield* hear(number)
        yield* Effect.forEach(Array.from({ length: 200 }), () => accept(number), { concurrency: 50 })
        yield* until(Effect.sync(() => reached.size === 32))
        assert.strictEqual(yield* count("status = 'sending'"), 32)
      }).pipe(Effect.provideContext(first.context))
      yield* first.stop
      const second = yield* startOn(url, (send) => Effect.as(note(send), accepted))
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sweep
        yield* until(Effect.map(count("status = 'queued'"), (left) => left === 0))
        yield* until(Effect.map(count("status = 'sent'"), (sent) => sent === 168))
        // A minute later the results of the others are unknown, and no node repeats them.
        yield* sql`update messages set due_at = due_at - interval '60 seconds',
          sending_since = sending_since - interval '60 seconds' where status = 'sending'`
        yield* sweep
        yield* until(Effect.map(count("delivery_unconfirmed_at is not null"), (found) => found === 32))
        assert.strictEqual(yield* count("status = 'sending'"), 32)
      }).pipe(Effect.provideContext(second.context))
      yield* second.stop
      assert.strictEqual(reached.size, 200)
      assert.isTrue([...reached.values()].every((times) => times === 1))
    }),
  240_000
)

it.live(
  "continues results and reservations while one call hangs, and at most 32 messages wait for their result M-DLV-23",
  () =>
    Effect.gen(function* () {
      const url = yield* create()
      let hangs = ""
      let onWire = 0
      let most = 0
      const node = yield* startOn(url, ({ message_id }) =>
        Effect.suspend(() => {
          hangs ||= message_id
          most = Math.max(most, ++onWire)
          const answered = Effect.sync(() => {
            onWire--
            return accepted
          })
          return message_id === hangs ? Effect.never : Effect.andThen(Effect.yieldNow, answered)
        })
      )
      yield* Effect.gen(function* () {
        const number = yield* seedSender("production")
        yield* hear(number)
        yield* Effect.forEach(Array.from({ length: 150 }), () => accept(number), { concurrency: 50 })
        yield* until(Effect.map(count("status = 'sent'"), (sent) => sent === 149))
        assert.strictEqual(yield* count("status = 'sending'"), 1)
      }).pipe(Effect.provideContext(node.context))
      yield* node.stop
      assert.isAtMost(most, 32)
    }),
  240_000
)
