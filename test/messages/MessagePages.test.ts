import { itemText } from "@carteiro/runtime/messages/message/MessageText.ts"
import { MessageRepo } from "@carteiro/runtime/messages/read/MessageRepo.ts"
import * as Messages from "@carteiro/runtime/messages/room.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { seedSender } from "../support/Numbers.ts"
import { OwnerTest, turnBy } from "../support/OwnerTest.ts"
import { accept, hear } from "./Sending.ts"

const product = Layer.provideMerge(MessageRepo.layer, OwnerTest(Messages.room.owners))

/** A number with one inbound message and two sent ones, oldest first. */
const conversation = Effect.gen(function* () {
  const number = yield* seedSender()
  const ids: Array<string> = [(yield* hear(number)).id]
  for (let n = 0; n < 2; n++) {
    yield* turnBy(1)
    ids.push((yield* accept(number)).id)
  }
  return { environment_id: number.environment_id, ids }
})

it.layer(product, { excludeTestServices: true })("Pages of messages that are read concurrently", (it) => {
  it.effect(
    "each show their own environment, from their own cursor and within their own limit A-CONV-17 A-CONV-21",
    () =>
      Effect.gen(function* () {
        const repo = yield* MessageRepo
        const one = yield* conversation
        const other = yield* conversation
        const page = (environment_id: string, after: string | undefined, limit: number) =>
          Effect.map(repo.items(environment_id, {}, after, limit), ({ rows }) => rows.map(({ id }) => id))
        const newest = ({ ids }: typeof one) => ids.toReversed()
        const pages = yield* Effect.all(
          [
            page(one.environment_id, undefined, 10),
            page(other.environment_id, undefined, 2),
            page(one.environment_id, one.ids[2], 10),
            page(other.environment_id, one.ids[0], 10),
            page("env_nobody", undefined, 10)
          ],
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(pages.slice(0, 3), [newest(one), newest(other).slice(0, 2), newest(one).slice(1)])
        assert.isTrue(pages[3]?.every((id) => other.ids.includes(id)))
        assert.deepStrictEqual(pages[4], [])
      })
  )

  it.effect("have items with the columns that a page shows, filtered or not M-READ-04", () =>
    Effect.gen(function* () {
      const repo = yield* MessageRepo
      const { environment_id } = yield* conversation
      for (const filters of [{}, { channel: "chatapp" as const }]) {
        const [{ rows: items }, { rows: everything }] = yield* Effect.all([
          repo.items(environment_id, filters, undefined, 10),
          repo.list(environment_id, filters, undefined, 10)
        ])
        assert.strictEqual(items.length, 3)
        assert.deepStrictEqual(
          items.map((row) => JSON.parse(itemText(row, "sandbox"))),
          everything.map((row) => JSON.parse(itemText(row, "sandbox")))
        )
        // Message texts are not part of a page.
        assert.isTrue(items.every(({ content_json }) => content_json === null))
      }
    })
  )
})
