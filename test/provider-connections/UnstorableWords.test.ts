import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { until } from "../support/Until.ts"
import { customer, told, UpstreamProduct, upstreamStage } from "../support/Upstream.ts"

/** A text without a pattern, so that an index cannot compress it. */
const long = Array.from({ length: 6000 }, (_, at) => ((at * 7919 * (at + 13)) % 36).toString(36)).join("")

it.layer(UpstreamProduct(), { excludeTestServices: true })("Notices of the platform", (it) => {
  it.effect(
    'that the database cannot hold are shortened, and do not stop the other notices of their call gaps-2 E "Inbound upstream webhook"',
    () =>
      Effect.gen(function* () {
        const { send, reaches, sql, tell, hear, text } = yield* upstreamStage
        const from = customer.slice(1)
        const say = (message: object, name = "Ana") =>
          tell(
            told({
              contacts: [{ profile: { name }, wa_id: from }],
              messages: [{ from, timestamp: "1789000000", type: "text", text: { body: "a\u0000b" }, ...message }]
            })
          )
        yield* hear()
        yield* say({ id: "mid.nul" }, "A\u0000na \ud800")
        yield* say({ id: `mid.${long}` })
        yield* say({ id: "mid.late", timestamp: 1e300 })
        yield* say({ id: "mid.from", from: long })
        yield* tell(told({ statuses: [{ id: `mid.${long}`, status: "sent" }] }))
        yield* tell(told({ user_preferences: [{ wa_id: long, value: "stop" }] }, "user_preferences"))
        yield* say({ id: "mid.plain" })
        const expected = ["mid.nul", "mid.late", "mid.from", "mid.plain"]
        const captured = sql<{ readonly id: string; readonly name: string | null }>`select provider_message_id as id,
          customer_name as name from messages where direction = 'inbound' and provider_message_id in ${sql.in(expected)}
          order by provider_message_id`
        yield* until(Effect.map(captured, (rows) => rows.length === expected.length))
        assert.deepStrictEqual(yield* captured, [
          // The name belongs to the number it came with, and this message came from another one.
          { id: "mid.from", name: null },
          { id: "mid.late", name: "Ana" },
          { id: "mid.nul", name: "A\ufffdna \ufffd" },
          { id: "mid.plain", name: "Ana" }
        ])
        const { body } = yield* send(text())
        yield* reaches(body.id, "read")
        // Every owner has finished its work on the call.
        const waiting = sql`select 1 from vendor_webhook_work where due_at is not null`
        yield* until(Effect.map(waiting, (rows) => rows.length === 0))
      })
  )
})
