import { type ChatNotices, UpstreamNotices } from "@carteiro/provider/ChatNotices.ts"
import { ConnectedChat } from "@carteiro/provider/ChatProvider.ts"
import { remembering } from "@carteiro/runtime/messages/notices/ReadCalls.ts"
import * as Messages from "@carteiro/runtime/messages/room.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { connectionOf } from "../support/Chat.ts"
import { seedSender } from "../support/Numbers.ts"
import { OwnerTest, turnBy } from "../support/OwnerTest.ts"
import { accept, hear, stored } from "./Sending.ts"

it("a stored call is parsed once, and again after it was emptied", () => {
  const read: Array<number> = []
  const told: ChatNotices = { numbers: new Map(), accounts: new Map(), groups: new Map() }
  const readCall = remembering((body) => {
    read.push(body.length)
    return told
  })
  const body = new Uint8Array(10)
  for (const webhook_id of ["vwh_1", "vwh_2", "vwh_1"]) assert.strictEqual(readCall({ webhook_id, body }), told)
  readCall({ webhook_id: "vwh_1", body: new Uint8Array(0) })
  assert.deepStrictEqual([readCall({ webhook_id: "vwh_1", body: null }).numbers.size, read], [0, [10, 10, 0]])
  // A large call is not cached.
  const large = new Uint8Array(100_000)
  for (let n = 0; n < 2; n++) readCall({ webhook_id: "vwh_3", body: large })
  assert.lengthOf(read, 5)
})

const called: Array<string> = []
const connected = Layer.succeed(ConnectedChat, () =>
  Effect.succeed(
    connectionOf(({ message_id }) =>
      Effect.sync(() => {
        called.push(message_id)
        return { _tag: "Accepted" as const, provider_message_id: `up-${message_id}`, response: {} }
      })
    )
  )
)
const unreadable = Layer.succeed(UpstreamNotices, () => {
  throw new Error("nobody can read this")
})

it.layer(OwnerTest(Messages.room.owners.pipe(Layer.provide([connected, unreadable]))), { excludeTestServices: true })(
  "A call of the provider that cannot be handled",
  (it) => {
    it.effect("ends no reservation beside it: each message is sent once M-DLV-22", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const number = yield* seedSender("production")
        yield* hear(number)
        yield* sql`insert into vendor_webhooks (id, vendor, body, received_at)
          values ('vwh_bad', 'upstream', '\\x7b7d'::bytea, now())`
        yield* sql`insert into vendor_webhook_work (owner_type, owner_id, webhook_id, due_at)
          values ('PhoneNumber', ${number.id}, 'vwh_bad', '2025-12-31')`
        const sent: Array<string> = []
        for (let n = 0; n < 3; n++) {
          sent.push((yield* accept(number)).id)
          yield* turnBy(1000)
        }
        for (const id of sent) assert.strictEqual((yield* stored(id)).status, "sent")
        assert.deepStrictEqual(called, sent)
      })
    )
  }
)
