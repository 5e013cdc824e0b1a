import { UpstreamNotices } from "@carteiro/provider/ChatNotices.ts"
import { type ChatPlatform, UpstreamPlatform } from "@carteiro/provider/ChatPlatform.ts"
import { readWebhook } from "@carteiro/provider-upstream/webhook/UpstreamWebhook.ts"
import * as Messages from "@carteiro/runtime/messages/Messages.ts"
import { room } from "@carteiro/runtime/messages/room.ts"
import { connectedProviders } from "@carteiro/runtime/provider-connections/connection/ConnectedProviders.ts"
import { ConnectionRepo } from "@carteiro/runtime/provider-connections/connection/ConnectionRepo.ts"
import { sealCredential } from "@carteiro/runtime/provider-connections/connection/Credentials.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Statements } from "../contract/Planned.ts"
import { connectionOf } from "../support/Chat.ts"
import { seedSender, type TestNumber } from "../support/Numbers.ts"
import { OwnerTest, turnBy } from "../support/OwnerTest.ts"
import { told } from "../support/Upstream.ts"
import { accept, hear } from "./Sending.ts"
import { coverNumber } from "./Templates.ts"

/** The platform's ids of the numbers that called it, by message. */
const carried = new Map<string, string>()

const platform = Layer.succeed(UpstreamPlatform, {
  chat: ({ upstream_phone_number_id }) =>
    connectionOf(({ message_id }) =>
      Effect.sync(() => {
        carried.set(message_id, upstream_phone_number_id)
        return { _tag: "Accepted", provider_message_id: `up-${message_id}`, response: {} }
      })
    ).provider
} as Pick<ChatPlatform, "chat"> as ChatPlatform)

const connected = connectedProviders.pipe(Layer.provide([platform, ConnectionRepo.layer]))
const notices = Layer.succeed(UpstreamNotices, readWebhook)
const product = OwnerTest(room.owners.pipe(Layer.provide([connected, notices]))).pipe(
  Layer.provideMerge(Statements.layer)
)

/** A production number with a connection, to which a customer wrote. */
const seedCovered = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const number = yield* seedSender("production")
  yield* coverNumber(number)
  const id = `pcn_${number.id}`
  const { credential } = sealCredential(yield* Secrets, { environment_id: number.environment_id, id }, "token")
  yield* sql`update provider_connections set credential = ${credential}, biz_account_send_capabilities = '[]'
    where environment_id = ${number.environment_id} and id = ${id}`
  yield* sql`update phone_numbers set upstream_phone_number_id = id where id = ${number.id}`
  yield* hear(number)
  return number
})

/** Stores one signed call about these messages of a number, as the receiver does. */
const report = Effect.fnUntraced(function* (number: TestNumber, messages: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  const id = `vwh_${number.id}`
  const statuses = messages.map((message_id) => ({
    id: `up-${message_id}`,
    status: "delivered",
    timestamp: String(Math.floor(now / 1000)),
    biz_opaque_callback_data: message_id
  }))
  const body = Buffer.from(JSON.stringify(told({ statuses }, "messages", number.id)))
  yield* sql`insert into vendor_webhooks (id, vendor, body, received_at)
    values (${id}, 'upstream', ${body}, ${new Date(now)})`
  yield* sql`insert into vendor_webhook_work (owner_type, owner_id, webhook_id, reported_messages, due_at)
    values ('PhoneNumber', ${number.id}, ${id}, ${messages.join(" ")}, ${new Date(now)})`
})

const numbers = 48
const messagesEach = 4

it.layer(product, { excludeTestServices: true, timeout: 240_000 })(
  "Production numbers that send concurrently",
  (it) => {
    it.effect("share reads and writes: their messages need few statements from acceptance to delivery", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const statements = yield* Statements
        const seeded = yield* Effect.forEach(Array.from({ length: numbers }), () => seedCovered)
        const sends = seeded.flatMap((number) => Array.from({ length: messagesEach }, () => number))

        const [accepted, toPost] = yield* statements.during(
          Effect.tap(
            Effect.forEach(sends, (number) => Effect.map(accept(number), ({ id }) => ({ id, number })), {
              concurrency: "unbounded"
            }),
            () => turnBy(1000)
          )
        )
        for (const { id, number } of accepted) assert.strictEqual(carried.get(id), number.id)

        for (const number of seeded) {
          yield* report(
            number,
            accepted.flatMap((one) => (one.number === number ? [one.id] : []))
          )
        }
        const owners = yield* Messages.PhoneNumberEntity.client
        const [, toDelivered] = yield* statements.during(
          Effect.andThen(
            Effect.sync(() => {
              for (const { id } of seeded) owners.wake(id)
            }),
            turnBy(1000)
          )
        )
        const [row] = yield* sql<{ readonly delivered: number; readonly left: number }>`select
        (select count(*) from messages where status = 'delivered') as delivered,
        (select count(*) from vendor_webhook_work) as left`
        assert.deepStrictEqual(row, { delivered: sends.length, left: 0 })

        const asked = [...toPost, ...toDelivered]
        const listed = asked.map(({ text }) => text.replaceAll(/\s+/g, " ").slice(0, 80)).join("\n")
        // One statement per message and kind of read would be six times as many. A busy machine makes more passes of
        // equal work.
        assert.isBelow(asked.length / sends.length, 0.6, listed)
      })
    )
  }
)
