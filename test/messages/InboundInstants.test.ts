import type { InboundNotice, PreferenceNotice } from "@carteiro/provider/ChatNotices.ts"
import type { NumberFacts } from "@carteiro/runtime/messages/facts/SendingFacts.ts"
import { inboundItems } from "@carteiro/runtime/messages/notices/InboundItems.ts"
import { preferenceRows } from "@carteiro/runtime/messages/notices/PreferenceRows.ts"
import { assert, describe, it } from "@effect/vitest"

const hour = 3_600_000
const received_at = Date.parse("2026-01-01T12:00:00Z")
/** The owner of the number is not in memory for three hours. */
const now = received_at + 3 * hour

const number = { environment: "production", environment_id: "env_1", biz_account_id: "1" } as NumberFacts
const ids = { mint: (prefix: string) => `${prefix}_1`, traceId: () => "trace" } as Parameters<typeof inboundItems>[4]

const heardAt = (at: number | null) => {
  const notice: InboundNotice = {
    kind: "inbound",
    provider_message_id: "mid.1",
    from: "5511912345678",
    user_id: null,
    username: null,
    profile_name: null,
    group_id: null,
    at,
    content: { type: "text", body: "oi" },
    context: null,
    raw: {}
  }
  return inboundItems([{ notice, received_at }], [], number, now, ids).heard[0]?.heard_at
}

const stoppedAt = (at: number | null) => {
  const notice: PreferenceNotice = { kind: "preference", from: "5511912345678", user_id: null, value: "stop", at }
  return preferenceRows(notice, "5511912345678", number, "pn_1", received_at)[0]?.values.stopped_at
}

describe("the instant of an inbound message", () => {
  it("is never later than the arrival of its call, however late an owner handles it M-WIN-01", () => {
    for (const instantOf of [heardAt, stoppedAt]) {
      assert.strictEqual(instantOf(now + 240 * hour), received_at)
      assert.strictEqual(instantOf(received_at + 1000), received_at)
      assert.strictEqual(instantOf(null), received_at)
    }
  })

  it("is the time of the platform when that is earlier M-WIN-01", () => {
    for (const instantOf of [heardAt, stoppedAt]) assert.strictEqual(instantOf(received_at - hour), received_at - hour)
  })
})
