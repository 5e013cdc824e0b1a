import { simulatedPricing } from "@carteiro/runtime/messages/sandbox/SandboxChat.ts"
import { dayMs } from "@carteiro/schema/conventions/Timestamp.ts"
import { MessageDelivered, MessageSent } from "@carteiro/schema/messages/MessageEvents.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { turnBy } from "../support/OwnerTest.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { sandboxProject } from "./SandboxProject.ts"

const at = Date.parse("2026-11-28T12:00:00Z")

it("a simulated price is that of the platform: answers are free, templates by their category U-STA-01", () => {
  const of = (category: "marketing" | "utility" | "authentication" | null, heard: number | null, key = "55119") => {
    const send = { customer_key: key, template_category: category, latest_inbound_at: heard }
    const { billable, category: priced, model, type } = simulatedPricing(send, at)
    return `${billable} ${priced} ${type} ${model}`
  }
  assert.strictEqual(of(null, at - 1), "false service free_customer_service PMP")
  assert.strictEqual(of("utility", at - dayMs + 1), "false utility free_customer_service PMP")
  assert.strictEqual(of("utility", at - dayMs), "true utility regular PMP")
  assert.strictEqual(of("utility", null), "true utility regular PMP")
  assert.strictEqual(of("marketing", at - 1), "true marketing regular PMP")
  assert.strictEqual(of("authentication", at - 1), "true authentication regular PMP")
  assert.strictEqual(
    of(null, at - 1, "grp_01kah7v3m8q6x2r9d4t5w0y1z3"),
    "false group_service free_customer_service PMP"
  )
})

it.layer(WholeProduct({ sweeps: false }), { excludeTestServices: true })("Sandbox messages", (it) => {
  it.effect("tell a simulated price in reads and events, and none once they fail U-STA-01", () =>
    Effect.gen(function* () {
      const { api, key, number, simulate } = yield* sandboxProject
      const sql = yield* SqlClient.SqlClient
      yield* simulate()
      const send = (metadata: object) =>
        Effect.map(
          api.post(
            "/v1/messages",
            {
              channel: "chatapp",
              sender: { type: "chatapp_phone_number", id: number.id },
              recipient: { type: "phone_e164", id: "+5511912345678" },
              message: { type: "text", text: { body: "Olá" } },
              metadata
            },
            { key }
          ),
          ({ body }) => body.id as string
        )
      const sent = yield* send({})
      const failed = yield* send({ sandbox_scenario: "delivery_failure" })
      yield* turnBy(10_000)
      const read = (id: string) => Effect.map(api.get(`/v1/messages/${id}`, { key }), ({ body }) => body)
      const pricing = { billable: false, category: "service", type: "free_customer_service", model: "PMP" }
      assert.deepStrictEqual((yield* read(sent)).pricing, pricing)
      assert.notProperty(yield* read(failed), "pricing")
      for (const event of [MessageSent, MessageDelivered]) {
        const [row] = yield* sql<{ readonly envelope: string }>`select envelope from outbox_events
          where source_id = ${sent} and type = ${event.type}`
        const { data } = JSON.parse(row?.envelope ?? "{}")
        assert.isTrue(Schema.is(event.data)(data))
        assert.deepStrictEqual(data.pricing, pricing)
      }
    })
  )
})
