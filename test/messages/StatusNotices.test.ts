import type { MessageEventItem } from "@carteiro/schema/messages/Message.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { askFor } from "../billing/Accounts.ts"
import { connect, paying } from "../payments/PaymentsStage.ts"
import { ScriptedPix } from "../payments/ScriptedPix.ts"
import { until } from "../support/Until.ts"
import { account, customer, told, UpstreamProduct, upstreamStage } from "../support/Upstream.ts"
import { upstreamCase } from "../support/UpstreamCase.ts"

const pix = new ScriptedPix()

/** A message that the platform accepted and tells nothing more about, and statuses of it. */
const sentMessage = Effect.gen(function* () {
  const stage = yield* upstreamStage
  const { faults, hear, reaches, read, send, sql, tell, text } = stage
  yield* hear()
  yield* faults({ name: "no_status", times: 1 })
  const { id } = (yield* send(text())).body
  yield* reaches(id, "sent")
  const { provider_message_id } = yield* read(id)
  const report = (status: object) =>
    Effect.gen(function* () {
      const recipient_id = customer.slice(1)
      assert.strictEqual(
        (yield* tell(told({ statuses: [{ id: provider_message_id, recipient_id, ...status }] }))).status,
        200
      )
      yield* until(
        Effect.map(sql`select 1 from vendor_webhook_work where due_at is not null`, (rows) => rows.length === 0)
      )
      return yield* read(id)
    })
  const eventData = (type: string) =>
    Effect.map(
      Effect.orDie(
        sql<{ envelope: string }>`select envelope from outbox_events where source_id = ${id} and type = ${type}`
      ),
      (rows) => rows.map(({ envelope }) => JSON.parse(envelope).data)
    )
  return { ...stage, id, report, eventData }
})

it.layer(UpstreamProduct({ vendors: pix.layer }), { excludeTestServices: true })("A status of the platform", (it) => {
  it.effect("tells the price of the message, in its read, its list and its later events U-STA-01", () =>
    Effect.gen(function* () {
      const { api, eventData, id, key, report } = yield* sentMessage
      const {
        id: _,
        recipient_id,
        recipient_user_id,
        ...status
      } = upstreamCase("status-pricing").input.entry[0].changes[0].value.statuses[0]
      const pricing = { billable: true, category: "utility", type: "regular", model: "PMP" }
      assert.deepStrictEqual((yield* report(status)).pricing, pricing)
      const { body } = yield* api.get("/v1/messages?limit=1", { key })
      assert.deepStrictEqual([body.data[0].id, body.data[0].pricing], [id, pricing])
      // A status without a price leaves the known one.
      assert.deepInclude(yield* report({ status: "delivered", timestamp: "1795818736" }), {
        status: "delivered",
        pricing
      })
      const [delivered] = yield* eventData("message.delivered")
      assert.deepStrictEqual(delivered.pricing, pricing)
      const [sent] = yield* eventData("message.sent")
      assert.notProperty(sent, "pricing")
      const changed = { ...status.pricing, billable: false, type: "free_customer_service" }
      const read = yield* report({ status: "read", timestamp: "1795818737", pricing: changed })
      assert.deepStrictEqual(read.pricing, { ...pricing, billable: false, type: "free_customer_service" })
    })
  )

  it.effect("is a step of its own where it tells that the message was played, deleted or warned of U-STA-02", () =>
    Effect.gen(function* () {
      const { eventData, report } = yield* sentMessage
      const begun = Math.floor((yield* Clock.currentTimeMillis) / 1000)
      const after = (seconds: number) => String(begun + seconds)
      yield* report({ status: "read", timestamp: after(1) })
      yield* report({ status: "played", timestamp: after(2) })
      yield* report({ status: "played", timestamp: after(3) })
      yield* report({ status: "warning", timestamp: after(4), errors: [{ code: 131060, title: "Unavailable" }] })
      const { events, status } = yield* report({ status: "deleted", timestamp: after(5) })
      assert.strictEqual(status, "read")
      const steps = (events as ReadonlyArray<MessageEventItem>).slice(-4)
      assert.deepStrictEqual(
        steps.map(({ details, status, type }) => [type, status, details]),
        [
          ["message.read", "read", null],
          ["message.played", "read", null],
          ["message.warning", "read", { code: 131060 }],
          ["message.deleted", "read", null]
        ]
      )
      assert.lengthOf(yield* eventData("message.read"), 1)
      assert.lengthOf(yield* eventData("message.played"), 0)
    })
  )

  it.effect("has the Pix payment that it names looked up, and believes its provider alone U-STA-03", () =>
    Effect.gen(function* () {
      const { tell } = yield* upstreamStage
      const { acme, balance, create, payment } = yield* paying("production")
      const sql = yield* SqlClient.SqlClient
      const [before_brl] = yield* balance
      yield* askFor(acme.organization_id, "credit", 10_000_000)
      yield* until(Effect.map(balance, ([balance_brl]) => balance_brl !== before_brl))
      yield* connect("pixprov2")
      const { id } = (yield* create()).body
      yield* until(Effect.map(payment(id), ({ status }) => status === "link_generated"))
      const report = (reference_id: string) =>
        tell(
          told({
            statuses: [
              {
                id: "wamid.order",
                recipient_id: customer.slice(1),
                type: "payment",
                status: "captured",
                timestamp: "1795818736",
                payment: { reference_id, amount: { value: 12_550, offset: 100 }, currency: "BRL" }
              }
            ]
          })
        )
      const looks = () => pix.count("read", id) + pix.count("lookUp", id)
      const before = looks()
      yield* report("order-42")
      yield* report("pay_00000000000000000000000000")
      yield* report(id)
      yield* until(Effect.sync(() => looks() > before))
      assert.strictEqual((yield* payment(id)).status, "link_generated")
      pix.show(id, { status: "paid" })
      yield* report(id)
      yield* until(Effect.map(payment(id), ({ status }) => status === "paid"))
      assert.deepStrictEqual(
        yield* sql`select 1 from vendor_webhook_work where due_at is not null and owner_id = ${account.phone_number_id}`,
        []
      )
    })
  )
})
