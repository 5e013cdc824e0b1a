import { insertEvent } from "@carteiro/runtime/messages/message/MessageRead.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import type { MessageEventItem } from "@carteiro/schema/messages/Message.ts"
import { jsonText, readJson } from "@carteiro/tables/StoredJson.ts"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { until } from "../support/Until.ts"
import { told, UpstreamProduct } from "../support/Upstream.ts"
import { hiddenStage } from "./HiddenStage.ts"

const step = (id: string, occurred_at: string): MessageEventItem => ({
  id,
  type: `message.${id}`,
  status: "sent",
  occurred_at,
  error_code: null,
  details: null
})

describe("the steps of a message", () => {
  it("stand in the order of the platform's seconds, after the first M-READ-30 U-STA-02", () => {
    const at = (time: string) => `2026-01-01T12:00:${time}Z`
    const steps = jsonText([step("queued", at("05.500")), step("sent", at("07.900")), step("read", at("09.000"))])
    const order = (time: string) => readJson(insertEvent(steps, step("late", at(time)))).map(({ id }) => id)
    assert.deepStrictEqual(order("10.000"), ["queued", "sent", "read", "late"])
    assert.deepStrictEqual(order("08.000"), ["queued", "sent", "late", "read"])
    assert.deepStrictEqual(order("07.000"), ["queued", "sent", "late", "read"])
    assert.deepStrictEqual(order("01.000"), ["queued", "late", "sent", "read"])
  })
})

it.layer(UpstreamProduct(), { excludeTestServices: true })("The platform's instant", (it) => {
  it.effect("of a customer's message is in its event, unless the platform's clock is ahead U-INB-05", () =>
    Effect.gen(function* () {
      const { heard, read, received } = yield* hiddenStage
      const from = "5511974100001"
      const early = yield* heard({ from }, "oi", { timestamp: "1795000000" })
      const data = yield* received(early)
      assert.strictEqual(data.occurred_at, formatTimestamp(1_795_000_000_000))
      const ahead = yield* heard({ from }, "oi", { timestamp: "253402300000" })
      const [told, { created_at }] = [yield* received(ahead), yield* read(ahead)]
      assert.isAtMost(Date.parse(told.occurred_at), Date.parse(created_at))
    })
  )

  it.effect("of a status is in its event and its step, and steps are ordered by it U-STA-02 M-READ-30", () =>
    Effect.gen(function* () {
      const { faults, heard, reaches, read, send, sql, tell, text } = yield* hiddenStage
      const phone = "5511974100002"
      yield* heard({ from: phone })
      yield* faults({ name: "no_status", times: 1 })
      const { id } = (yield* send(text("oi"), `+${phone}`)).body
      yield* reaches(id, "sent")
      const { provider_message_id } = yield* read(id)
      const second = Math.floor((yield* Clock.currentTimeMillis) / 1000)
      const report = (status: string, seconds: number) =>
        tell(
          told({
            statuses: [{ status, timestamp: `${second + seconds}`, recipient_id: phone, id: provider_message_id }]
          })
        )
      // The times that the platform tells lie before the send was answered here: they stand behind the acceptance.
      yield* report("read", -100)
      yield* reaches(id, "read")
      yield* report("delivered", -200)
      const steps = Effect.map(read(id), ({ events }) =>
        (events as ReadonlyArray<MessageEventItem>).map(({ occurred_at, type }) => [type, occurred_at])
      )
      yield* until(Effect.map(steps, (all) => all.some(([type]) => type === "message.delivered")))
      const [queued, delivered, ended, ...others] = yield* steps
      assert.strictEqual(queued?.[0], "message.queued")
      assert.deepStrictEqual(delivered, ["message.delivered", formatTimestamp((second - 200) * 1000)])
      assert.deepStrictEqual(ended, ["message.read", formatTimestamp((second - 100) * 1000)])
      assert.deepStrictEqual(
        others.map(([type]) => type),
        ["message.sending", "message.sent"]
      )
      const [event] = yield* sql<{ readonly envelope: string }>`select envelope from outbox_events
        where source_id = ${id} and type = 'message.read'`
      const { created_at, data } = JSON.parse(event?.envelope ?? "{}")
      assert.strictEqual(data.occurred_at, formatTimestamp((second - 100) * 1000))
      assert.isAbove(Date.parse(created_at), (second - 10) * 1000)
    })
  )
})
