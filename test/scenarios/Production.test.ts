import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { seedTemplates } from "../messages/TypedSending.ts"
import { bothWays, type Story } from "../support/SdkCaller.ts"
import { until } from "../support/Until.ts"
import { account, customer, told, UpstreamProduct, upstreamStage } from "../support/Upstream.ts"

const story: Story<ReturnType<typeof UpstreamProduct>> = (it) => {
  it.effect(
    'goes to the platform and comes back read, over sockets; a reply is quoted, and each is used once M-MSG-01 M-MSG-14 M-EVT-01 M-EVT-04 M-WIN-01 M-READ-15 M-READ-21 gaps-2 B "When a message is charged"',
    () =>
      Effect.gen(function* () {
        const stage = yield* upstreamStage
        const heard = yield* stage.hear()
        const { body, status } = yield* stage.send(stage.text("Oi!"), customer, {
          reply_to: { message_id: heard.id },
          metadata: { order: "42" }
        })
        assert.strictEqual(status, 202)
        yield* stage.reaches(body.id, "read")
        const message = yield* stage.read(body.id)
        assert.strictEqual(message.provider, "upstream")
        assert.match(message.provider_message_id, /^wamid\./)
        assert.deepStrictEqual(message.context.reply_to, {
          message_id: heard.id,
          provider_message_id: heard.provider_message_id
        })
        const posts = stage.simulator.log.read(0, "message")
        assert.deepStrictEqual(
          posts.map(({ message_id, outcome, type }) => [message_id, outcome, type]),
          [[body.id, "accepted", "text"]]
        )
        const announced = yield* stage.sql<{ readonly type: string }>`select type from outbox_events
          where source_id = ${body.id} order by id`
        assert.deepStrictEqual(
          announced.map(({ type }) => type),
          ["message.sent", "message.delivered", "message.read"]
        )
        const used = yield* stage.sql<{ readonly meter_id: string; readonly phone_number_id: string }>`
          select meter_id, phone_number_id from usage_records where source_id = ${body.id}`
        assert.deepStrictEqual(
          used.map((row) => [row.meter_id, row.phone_number_id]),
          [["message.transport.service", stage.number.id]]
        )
        const again = yield* stage.hear(customer, { context: { from: "1", id: message.provider_message_id } })
        const quoting = yield* stage.read(again.id)
        assert.strictEqual(quoting.context.reply_to.message_id, body.id)
        assert.strictEqual(quoting.sender.profile_name, "Customer")
      })
  )

  it.effect(
    "statuses arrive before the answer, doubled, reordered and late: each is recorded once and nothing is announced twice M-MSG-14 M-DLV-23",
    () =>
      Effect.gen(function* () {
        const stage = yield* upstreamStage
        yield* stage.hear()
        yield* stage.faults(
          { name: "status_before_answer", value: 300, times: 1 },
          { name: "duplicate_status", times: 1 }
        )
        const early = (yield* stage.send(stage.text("before"))).body.id
        yield* stage.reaches(early, "read")
        const doubled = (yield* stage.send(stage.text("twice"))).body.id
        yield* stage.reaches(doubled, "read")
        yield* stage.faults({ name: "no_status", times: 1 })
        const silent = (yield* stage.send(stage.text("backwards"))).body.id
        yield* stage.reaches(silent, "sent")
        const { events, provider_message_id } = yield* stage.read(silent)
        // Of one second with the last step: reported steps stand in the order of their instants.
        const timestamp = String(Math.floor(Date.parse(events.at(-1).occurred_at) / 1000))
        const report = (status: string) => ({
          id: provider_message_id,
          status,
          timestamp,
          recipient_id: "1"
        })
        for (const status of ["read", "delivered", "sent", "delivered", "read"]) {
          assert.strictEqual((yield* stage.tell(told({ statuses: [report(status)] }))).status, 200)
        }
        yield* until(
          Effect.map(stage.sql`select 1 from vendor_webhook_work where due_at is not null`, (rows) => rows.length === 0)
        )
        const entries = (yield* stage.read(silent)).events.map((event: { type: string }) => event.type)
        assert.deepStrictEqual(entries, [
          "message.queued",
          "message.sending",
          "message.sent",
          "message.read",
          "message.delivered",
          "message.sent"
        ])
        for (const id of [early, doubled, silent]) {
          const announced = yield* stage.sql<{
            readonly type: string
          }>`select type from outbox_events where source_id = ${id}`
          assert.strictEqual(new Set(announced.map(({ type }) => type)).size, announced.length)
          const used = yield* stage.sql`select 1 from usage_records where source_id = ${id}`
          assert.strictEqual(used.length, 1)
        }
      })
  )

  it.effect(
    "a message with a lost answer is never posted again: a status with our id resolves it, without one it waits M-DLV-22 M-DLV-23",
    () =>
      Effect.gen(function* () {
        const stage = yield* upstreamStage
        yield* stage.hear()
        for (const name of ["reset_after", "malformed", "half_body"]) {
          yield* stage.faults({ name, times: 1 })
          const { id } = (yield* stage.send(stage.text(name))).body
          yield* stage.reaches(id, "read")
          assert.isNull((yield* stage.read(id)).delivery_unconfirmed_at, name)
        }
        for (const name of ["reset_before", "bare_503"]) {
          yield* stage.faults({ name, times: 1 })
          const { id } = (yield* stage.send(stage.text(name))).body
          yield* until(Effect.map(stage.read(id), (message) => message.delivery_unconfirmed_at !== null))
          assert.strictEqual((yield* stage.read(id)).status, "sending", name)
        }
        const posts = stage.simulator.log.read(0, "message").map(({ message_id }) => message_id)
        assert.strictEqual(new Set(posts).size, posts.length)
      })
  )

  it.effect("a provably refused message is posted again, and only then M-DLV-06 M-DLV-22", () =>
    Effect.gen(function* () {
      const stage = yield* upstreamStage
      yield* stage.hear()
      yield* stage.faults(
        { name: "error_500", times: 1 },
        { name: "throughput", times: 1 },
        { name: "app_rate", times: 1 }
      )
      const { id } = (yield* stage.send(stage.text("again"))).body
      yield* stage.reaches(id, "read")
      const posts = stage.simulator.log.read(0, "message").filter(({ message_id }) => message_id === id)
      assert.deepStrictEqual(
        posts.map(({ outcome }) => outcome),
        ["refused", "refused", "refused", "accepted"]
      )
    })
  )

  it.effect(
    "a message taken and answered as refused is posted once and charged once, as its reports prove, whatever its type M-MSG-14",
    () =>
      Effect.gen(function* () {
        const stage = yield* upstreamStage
        const heard = yield* stage.hear()
        yield* seedTemplates({ id: stage.number.environment_id, kind: "production" })
        const variables = { 1: "Ana" }
        const image = stage.simulator.world.addFile(Buffer.from("bytes"), "image/png")
        const button = { type: "reply", reply: { id: "yes", title: "Sim" } }
        const messages = [
          stage.text(),
          { type: "template", template: { name: "welcome", language: "pt_BR", variables } },
          { type: "interactive", interactive: { type: "button", body: { text: "?" }, action: { buttons: [button] } } },
          { type: "media", media: { kind: "image", id: image.id } },
          { type: "reaction", reaction: { message_id: heard.id, emoji: "👍" } }
        ]
        const sent: Array<string> = []
        // Of the first the reports come with the answer, of the second while the message is queued again.
        for (const fault of [
          { name: "taken_500" },
          { name: "taken_500", value: 300 },
          { name: "taken_429", value: 300 }
        ]) {
          yield* stage.faults(fault)
          for (const message of messages) {
            const { body, status, text } = yield* stage.send(message)
            assert.strictEqual(status, 202, text)
            sent.push(body.id)
          }
          const batch = yield* stage.api.post(
            "/v1/batches",
            {
              sender: { type: "chatapp_phone_number", id: stage.number.id },
              template: { name: "welcome", language: "pt_BR" },
              recipients: [{ to: "+5511955550001", variables }]
            },
            { key: stage.key }
          )
          assert.strictEqual(batch.status, 202, batch.text)
          const fed = stage.sql<{ readonly id: string }>`select id from messages where batch_id = ${batch.body.id}`
          yield* until(Effect.map(fed, (rows) => rows.length === 1))
          sent.push((yield* fed)[0]?.id ?? "")
          for (const id of sent) {
            yield* stage.reaches(id, "sent", "read", "failed")
            assert.notStrictEqual((yield* stage.read(id)).status, "failed", id)
          }
        }
        const posts = stage.simulator.log.read(0, "message").map(({ message_id }) => message_id)
        for (const id of sent) {
          yield* stage.reaches(id, "read", "sent")
          assert.strictEqual(posts.filter((posted) => posted === id).length, 1, id)
          assert.lengthOf(yield* stage.sql`select 1 from usage_records where source_id = ${id}`, 1)
        }
        assert.lengthOf(yield* stage.sql`select 1 from messages where id = any(${sent}) and due_at is not null`, 0)
      })
  )

  it.effect("a customer stops marketing upstream, and resumes it M-GRD-09 M-GRD-10", () =>
    Effect.gen(function* () {
      const stage = yield* upstreamStage
      const stops = stage.sql`select 1 from marketing_stops where account_id = ${account.biz_account_id}`
      yield* stage.control("/preferences", { from: customer, value: "stop" })
      yield* until(Effect.map(stops, (rows) => rows.length === 1))
      yield* stage.control("/preferences", { from: customer, value: "resume" })
      yield* until(Effect.map(stops, (rows) => rows.length === 0))
    })
  )
}

for (const [how, product] of bothWays(UpstreamProduct())) {
  it.layer(product, { excludeTestServices: true })(`A production message, ${how}`, story)
}

it.layer(UpstreamProduct({ product: false }), { excludeTestServices: true })("Without a platform", (it) => {
  it.effect("production sends are accepted and fail no_provider_connection M-DLV-01 M-DLV-02", () =>
    Effect.gen(function* () {
      const stage = yield* upstreamStage
      const sql = yield* SqlClient.SqlClient
      yield* sql`insert into service_windows (environment_id, channel, business_id, customer_key, latest_inbound_at)
        values (${stage.number.environment_id}, 'chatapp', ${stage.number.id}, '5511912345678', clock_timestamp())`
      const { body, status } = yield* stage.send(stage.text())
      assert.strictEqual(status, 202)
      yield* stage.reaches(body.id, "failed")
      const message = yield* stage.read(body.id)
      assert.deepStrictEqual([message.error_code, message.provider_error], ["no_provider_connection", null])
    })
  )
})
