import * as Media from "@carteiro/runtime/media/Media.ts"
import { MessagePages } from "@carteiro/runtime/messages/read/MessagePages.ts"
import { type MessageFilters, MessageRepo } from "@carteiro/runtime/messages/read/MessageRepo.ts"
import * as Messages from "@carteiro/runtime/messages/room.ts"
import type { MediaDescriptor } from "@carteiro/schema/messages/InboundContent.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient, Statement } from "effect/sql"
import { seedSender } from "../support/Numbers.ts"
import { OwnerTest, turnBy } from "../support/OwnerTest.ts"
import { accept, hear } from "./Sending.ts"

/** Files that the test changes, by asset id. */
const files = new Map<string, MediaDescriptor>()
const descriptors = Layer.succeed(
  Media.FileDescriptors,
  Media.FileDescriptors.of({ describe: () => Effect.sync(() => new Map(files)) })
)

/** The ids whose rows were read by id, and what happens before such a read. */
const looks: Array<unknown> = []
let before: Effect.Effect<unknown> = Effect.void
const watching = Layer.succeed(Statement.CurrentTransformer, (statement) => {
  const [text, parameters] = statement.compile()
  if (!text.includes("as version from messages")) return Effect.succeed(statement)
  looks.push(parameters[1])
  return Effect.as(before, statement)
})

const pages = MessagePages.layer.pipe(Layer.provideMerge(MessageRepo.layer), Layer.provide(descriptors))
const product = pages.pipe(Layer.provideMerge(OwnerTest(Messages.room.owners)), Layer.provideMerge(watching))

/** A number with one inbound message and two sent ones, oldest first. */
const conversation = Effect.gen(function* () {
  const number = yield* seedSender()
  const ids: Array<string> = [(yield* hear(number)).id]
  for (let n = 0; n < 2; n++) {
    yield* turnBy(1)
    ids.push((yield* accept(number)).id)
  }
  return { number, environment_id: number.environment_id, ids }
})

interface Shown {
  readonly id: string
  readonly status: string
  readonly media: MediaDescriptor | null
}

const read = Effect.fnUntraced(function* (
  environment_id: string,
  after: string | undefined,
  limit: number,
  filters: MessageFilters = {}
) {
  const { items } = yield* MessagePages
  const { rows, walked_to } = yield* items({ environment_id, environment: "sandbox", after, limit }, filters)
  return { shown: rows.map(({ text }) => JSON.parse(text()) as Shown), walked_to }
})

it.layer(product, { excludeTestServices: true })("Pages of messages", (it) => {
  it.effect(
    "that are read concurrently each show their own environment, from their own cursor and within their own limit A-CONV-17 A-CONV-21",
    () =>
      Effect.gen(function* () {
        const one = yield* conversation
        const other = yield* conversation
        const page = (environment_id: string, after: string | undefined, limit: number) =>
          Effect.map(read(environment_id, after, limit), ({ shown }) => shown.map(({ id }) => id))
        const newest = ({ ids }: typeof one) => ids.toReversed()
        // The second reading knows the versions of the first.
        for (const _ of ["first", "second"]) {
          const pages = yield* Effect.all(
            [
              page(one.environment_id, undefined, 10),
              page(other.environment_id, undefined, 2),
              page(one.environment_id, one.ids[2], 10),
              page(other.environment_id, other.ids[1], 10),
              page("env_nobody", undefined, 10)
            ],
            { concurrency: "unbounded" }
          )
          assert.deepStrictEqual(pages, [
            newest(one),
            newest(other).slice(0, 2),
            newest(one).slice(1),
            newest(other).slice(2),
            []
          ])
        }
      })
  )

  it.effect("have items with the columns that a page shows, filtered or not, read before or not M-READ-04", () =>
    Effect.gen(function* () {
      const repo = yield* MessageRepo
      const { environment_id } = yield* conversation
      const first = yield* read(environment_id, undefined, 10)
      assert.strictEqual(first.shown.length, 3)
      assert.deepStrictEqual(yield* read(environment_id, undefined, 10, { channel: "chatapp" }), first)
      assert.deepStrictEqual(yield* read(environment_id, undefined, 10), first)
      assert.deepStrictEqual(yield* read(environment_id, undefined, 10), first)
      // Message texts are not part of a page.
      const { rows } = yield* repo.items(environment_id, {}, undefined, 10)
      assert.isTrue(rows.every(({ content_json }) => content_json === null))
    })
  )

  it.effect("that are read again show new, changed and erased messages, and read no row that has not changed", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { environment_id, ids, number } = yield* conversation
      const again = Effect.gen(function* () {
        looks.length = 0
        const { shown } = yield* read(environment_id, undefined, 10)
        return { shown: shown.map(({ id, status }) => [id, status]), looks: looks.length }
      })
      yield* again
      yield* again
      const unchanged = yield* again
      assert.strictEqual(unchanged.looks, 0)
      assert.deepStrictEqual(
        unchanged.shown.map(([id]) => id),
        ids.toReversed()
      )
      const late = yield* accept(number)
      yield* sql`update messages set status = 'failed' where id = ${ids[1] ?? ""}`.pipe(Effect.orDie)
      yield* sql`delete from messages where id = ${ids[0] ?? ""}`.pipe(Effect.orDie)
      const changed = yield* again
      assert.deepStrictEqual(changed.shown, [[late.id, "queued"], unchanged.shown[0], [ids[1], "failed"]])
      assert.strictEqual(changed.looks, 1)
      assert.strictEqual((yield* again).looks, 0)
    })
  )

  it.effect("that are read again show files in their present state M-INB-08", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { environment_id, ids } = yield* conversation
      const content = JSON.stringify({ type: "media", media: { asset_id: "med_1" } })
      yield* sql`update messages set type = 'media', content = ${content} where id = ${ids[0] ?? ""}`.pipe(Effect.orDie)
      const states: Array<string | undefined> = []
      for (const status of ["pending", "ready", "ready", "deleted"]) {
        files.set("med_1", { asset_id: "med_1", status } as unknown as MediaDescriptor)
        const { shown } = yield* read(environment_id, undefined, 10)
        states.push(shown.at(-1)?.media?.status)
      }
      assert.deepStrictEqual(states, ["pending", "ready", "ready", "deleted"])
    })
  )

  it.effect("go on by their cursor when a message goes while they are read", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { environment_id, ids } = yield* conversation
      yield* read(environment_id, undefined, 2)
      yield* read(environment_id, undefined, 2)
      yield* sql`update messages set status = 'failed' where id = ${ids[2] ?? ""}`.pipe(Effect.orDie)
      before = Effect.orDie(sql`delete from messages where id = ${ids[2] ?? ""}`)
      const { shown, walked_to } = yield* read(environment_id, undefined, 2)
      before = Effect.void
      assert.deepStrictEqual(
        shown.map(({ id }) => id),
        [ids[1]]
      )
      assert.strictEqual(walked_to, ids[1])
    })
  )
})
