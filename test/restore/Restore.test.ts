import { Activations } from "@carteiro/owners/Cluster.ts"
import { type ChatSend, ConnectedChat } from "@carteiro/provider/ChatProvider.ts"
import { outwardKinds } from "@carteiro/runtime/app/Fold.ts"
import * as Messages from "@carteiro/runtime/messages/room.ts"
import { OutwardKinds, RestoreRepo } from "@carteiro/runtime/restore/RestoreRepo.ts"
import { instant } from "@carteiro/tables/Parameters.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { sweepFrom } from "../../packages/owners/schedule/Sweeper.ts"
import { accept, hear, stored } from "../messages/Sending.ts"
import { connectionOf } from "../support/Chat.ts"
import { seedSender } from "../support/Numbers.ts"
import { OwnerTest, turnBy } from "../support/OwnerTest.ts"

const hour = 60 * 60 * 1000

/** The messages that the provider was called for. */
const posted: Array<ChatSend> = []

const connected = Layer.succeed(ConnectedChat, () =>
  Effect.succeed(
    connectionOf((send) =>
      Effect.sync(() => {
        posted.push(send)
        return { _tag: "Accepted", provider_message_id: `wamid.${send.message_id}`, response: {} } as const
      })
    )
  )
)

const openSender = Effect.tap(seedSender("production"), (number) => hear(number))

/** Takes the database back to where the messages had not left, as a restore does. */
const takenBack = (...ids: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const now = yield* Clock.currentTimeMillis
    for (const id of ids)
      yield* sql`update messages set status = 'queued', provider_message_id = null, sending_since = null, events = null,
        due_at = ${instant(now)} where id = ${id}`
  })

const ahead = 2 ** 40

/** Accepts a restore. The one node of a test goes on as one that starts anew, so that it gets its epochs back. */
const acceptRestore = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  const held = yield* (yield* RestoreRepo).accept(now, now)
  yield* sql`update shard_epochs set epoch = epoch - ${ahead} where shard < 1000`
  return held
})

/** Turns time by so many milliseconds, after a sweep has woken the owners whose work is due. */
const sweptBy = Effect.fnUntraced(function* (milliseconds: number) {
  const activations = yield* Activations
  for (const made of Messages.room.due) {
    const due = yield* made
    yield* sweepFrom(due, "", (id) => activations.wake(due.type, id))
  }
  yield* turnBy(milliseconds)
})

const kindNamed = Effect.fnUntraced(function* (name: string) {
  const found = (yield* OutwardKinds).find(({ kind }) => kind === name)
  return found ?? (yield* Effect.die(`no kind ${name}`))
})

const Restored = RestoreRepo.layer.pipe(
  Layer.provideMerge(outwardKinds),
  Layer.provideMerge(OwnerTest(Messages.room.owners.pipe(Layer.provide(connected))))
)

it.layer(Restored, { excludeTestServices: true })("After a restore to an earlier point", (it) => {
  it.effect("a message that may have left is not posted again until an operator releases it M-DLV-23", () =>
    Effect.gen(function* () {
      const number = yield* openSender
      const { id } = yield* accept(number)
      yield* turnBy(1000)
      assert.lengthOf(posted.splice(0), 1)
      yield* takenBack(id)
      assert.deepStrictEqual([...(yield* acceptRestore)], [["sends", 1]])
      yield* sweptBy(hour)
      assert.lengthOf(posted, 0)
      const repo = yield* RestoreRepo
      const [held] = yield* repo.list("sends", 10)
      assert.deepInclude(held, { kind: "sends", scope: number.environment_id, id })
      const kind = yield* kindNamed("sends")
      assert.deepStrictEqual(yield* repo.release(kind, id), { changed: 1, ended: 0 })
      yield* sweptBy(hour)
      assert.deepStrictEqual(
        posted.splice(0).map(({ message_id }) => message_id),
        [id]
      )
      assert.deepStrictEqual(yield* repo.list(undefined, 10), [])
    })
  )

  it.effect("a message that an operator fails is never posted, and ends for want of a result M-DLV-21", () =>
    Effect.gen(function* () {
      const number = yield* openSender
      const { id } = yield* accept(number)
      yield* turnBy(1000)
      posted.length = 0
      yield* takenBack(id)
      yield* acceptRestore
      const repo = yield* RestoreRepo
      const failing = repo.fail(yield* kindNamed("sends"), undefined, yield* Clock.currentTimeMillis)
      assert.deepStrictEqual(yield* failing ?? Effect.die("sends can be failed"), { changed: 1, ended: 0 })
      yield* sweptBy(25 * hour)
      yield* sweptBy(hour)
      const { error_code, status } = yield* stored(id)
      assert.deepStrictEqual([status, error_code, posted.length], ["failed", "provider_send_result_missing", 0])
    })
  )

  it.effect("a message that its sender cancels while it is held is not sent by a release", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const number = yield* openSender
      const { id } = yield* accept(number)
      yield* turnBy(1000)
      posted.length = 0
      yield* takenBack(id)
      yield* acceptRestore
      yield* sql`update messages set status = 'cancelled', due_at = null where id = ${id}`
      const repo = yield* RestoreRepo
      assert.deepStrictEqual(yield* repo.release(yield* kindNamed("sends"), undefined), { changed: 0, ended: 1 })
      yield* sweptBy(hour)
      assert.lengthOf(posted, 0)
    })
  )

  it.effect("neither an epoch of a shard nor a position of an event is given a second time", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`insert into shard_epochs (shard, epoch) values (100001, 5)`
      const { environment_id } = yield* openSender
      yield* sql`insert into outbox_counters (environment_id, position) values (${environment_id}, 7)
        on conflict (environment_id) do update set position = 7`
      yield* turnBy(1)
      yield* acceptRestore
      const [epoch] = yield* sql<{ readonly epoch: number }>`select epoch from shard_epochs where shard = 100001`
      const [counter] = yield* sql<{ readonly position: number }>`select position from outbox_counters
        where environment_id = ${environment_id}`
      assert.deepStrictEqual([epoch?.epoch, counter?.position], [5 + ahead, 7 + ahead])
    })
  )

  it.effect("every kind of work is held, released and failed by valid statements", () =>
    Effect.gen(function* () {
      yield* turnBy(1)
      const repo = yield* RestoreRepo
      const now = yield* Clock.currentTimeMillis
      yield* acceptRestore
      for (const kind of yield* OutwardKinds) {
        assert.deepStrictEqual(yield* repo.release(kind, undefined), { changed: 0, ended: 0 }, kind.kind)
        const failing = repo.fail(kind, undefined, now)
        if (failing !== undefined) assert.deepStrictEqual(yield* failing, { changed: 0, ended: 0 }, kind.kind)
      }
    })
  )

  it.effect("a restore is accepted once, and only for an instant that the database was restored to", () =>
    Effect.gen(function* () {
      yield* turnBy(1)
      const repo = yield* RestoreRepo
      const now = yield* Clock.currentTimeMillis
      yield* acceptRestore
      const again = yield* Effect.flip(repo.accept(now, now))
      assert.match(again.message, /was accepted before/)
      const number = yield* openSender
      yield* accept(number)
      yield* turnBy(hour)
      const early = yield* Effect.flip(repo.accept(now, yield* Clock.currentTimeMillis))
      assert.match(early.message, /accepted before/)
      const earlier = yield* Effect.flip(repo.accept(now - 123_456, yield* Clock.currentTimeMillis))
      assert.match(earlier.message, /was not restored to an earlier instant/)
    })
  )

  it.effect("a server that was no standby tells no instant of its promotion", () =>
    Effect.gen(function* () {
      const refused = yield* Effect.flip((yield* RestoreRepo).lastReplayed)
      assert.match(refused.message, /no record of a replay.*--to/)
    })
  )
})
