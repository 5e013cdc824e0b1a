import { judgeSend } from "@carteiro/runtime/messages/accept/Acceptance.ts"
import {
  acceptRate,
  messagesPerSecond,
  retryExhaustedAt,
  sendRate
} from "@carteiro/runtime/messages/facts/Throughput.ts"
import {
  isWindowOpen,
  needsWindow,
  opensWindow,
  serviceWindowMs
} from "@carteiro/runtime/messages/message/ServiceWindow.ts"
import { queueExpiresAt, recoverSend } from "@carteiro/runtime/messages/send/Dispatch.ts"
import { take } from "@carteiro/runtime/ratelimit/TokenBucket.ts"
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"

const instant = fc.integer({ min: 0, max: 4_000_000_000_000 })

describe("service window", () => {
  it("is open for 24 hours from the latest inbound and closed at the boundary M-WIN-01", () => {
    assert.strictEqual(serviceWindowMs, 86_400_000)
    fc.assert(
      fc.property(instant, fc.integer({ min: -1, max: 90_000_000 }), (inbound, after) => {
        assert.strictEqual(isWindowOpen(inbound, inbound + after), after < 86_400_000)
      })
    )
    assert.isFalse(isWindowOpen(undefined, 0))
  })

  it("is needed by every free-form chat message and by no template M-MSG-22, M-WIN-03", () => {
    for (const type of ["text", "media", "interactive", "flow", "reaction"] as const) {
      assert.isTrue(needsWindow("chatapp", type))
      assert.isTrue(needsWindow("socialapp", type))
      assert.isFalse(needsWindow("chatapp_channel", type))
    }
    assert.isFalse(needsWindow("chatapp", "template"))
  })

  it("is not opened by a withheld phone M-INB-17", () => {
    assert.isFalse(opensWindow(""))
    assert.isTrue(opensWindow("+5511912345678"))
  })
})

describe("throughput of a number", () => {
  it("is the smaller of plan and upstream, gaps-2 D Per-number throughput budget", () => {
    assert.strictEqual(messagesPerSecond("production", "starter", "4"), 10)
    assert.strictEqual(messagesPerSecond("production", "growth", "1"), 20)
    assert.strictEqual(messagesPerSecond("production", "scale", null), 80)
    assert.strictEqual(messagesPerSecond("production", "scale", "unlimited"), 80)
    assert.strictEqual(messagesPerSecond("sandbox", "scale", "2"), 10)
  })

  it("bursts ten seconds at accept and one at the worker M-ERR-06", () => {
    const burst = (rate: { burst: number; perMillis: number }) => {
      let bucket: ReturnType<typeof take>["bucket"] | undefined
      let count = 0
      for (;;) {
        const drawn = take(bucket, rate, 0)
        if (!drawn.taken) return { count, wait: drawn.retryAfterMs }
        bucket = drawn.bucket
        count++
      }
    }
    assert.deepStrictEqual(burst(acceptRate(10)), { count: 100, wait: 100 })
    assert.deepStrictEqual(burst(sendRate(80)), { count: 80, wait: 13 })
  })

  it("retries after 1, 2, 4 to 60 seconds, for a pair after 6, 24, 96, and gives up after 15 minutes M-DLV-06", () => {
    const seconds = (limit: "number" | "pair", refusals: number) =>
      (retryExhaustedAt(limit, refusals, 0, 0) ?? 0) / 1000
    assert.deepStrictEqual(
      [1, 2, 3, 6, 7, 40].map((refusals) => seconds("number", refusals)),
      [1, 2, 4, 32, 60, 60]
    )
    assert.deepStrictEqual(
      [1, 2, 3, 4].map((refusals) => seconds("pair", refusals)),
      [6, 24, 96, 96]
    )
    assert.isDefined(retryExhaustedAt("number", 20, 0, 899_999))
    assert.isUndefined(retryExhaustedAt("number", 20, 0, 900_000))
  })
})

describe("stale sends", () => {
  const attempt = { sending_since: 1000, bytes_written: false, expires_at: 90_000, delivery_unconfirmed_at: null }

  it("wait 60 seconds, and are queued again when nothing was sent M-DLV-22", () => {
    assert.deepStrictEqual(recoverSend(attempt, 60_999), { _tag: "Wait", until: 61_000 })
    assert.deepStrictEqual(recoverSend(attempt, 61_000), { _tag: "Requeue" })
    assert.deepStrictEqual(recoverSend(attempt, 90_000), { _tag: "GiveUp" })
  })

  it("are never repeated when they are ambiguous M-DLV-21, M-DLV-23", () => {
    const written = { ...attempt, bytes_written: true }
    assert.deepStrictEqual(recoverSend(written, 61_000), { _tag: "Unconfirm" })
    fc.assert(
      fc.property(instant, fc.option(instant, { nil: null }), (now, delivery_unconfirmed_at) => {
        assert.notStrictEqual(recoverSend({ ...written, delivery_unconfirmed_at }, now)._tag, "Requeue")
      })
    )
    const until = 61_000 + 86_400_000
    const unconfirmed = { ...written, delivery_unconfirmed_at: 61_000 }
    assert.deepStrictEqual(recoverSend(unconfirmed, until - 1), { _tag: "Wait", until })
    assert.deepStrictEqual(recoverSend(unconfirmed, until), { _tag: "GiveUp" })
  })

  it("count the 24 hours of the queue from creation or release, and never for a held message M-DLV-22", () => {
    assert.strictEqual(queueExpiresAt({ created_at: 1, released_at: null, held: false }), 86_400_001)
    assert.strictEqual(queueExpiresAt({ created_at: 1, released_at: 9, held: false }), 86_400_009)
    assert.isUndefined(queueExpiresAt({ created_at: 1, released_at: null, held: true }))
  })
})

describe("acceptance", () => {
  const open = {
    channel: "chatapp",
    type: "text",
    sender: { suspended_at: null },
    creditBlocked: false,
    overSpendCap: false,
    reply: { target: { provider_message_id: "up_1" } },
    content: undefined,
    group: undefined,
    optedOut: false,
    latestInboundAt: 0
  } as const
  const free = () => undefined
  const judged = (changes: object, token: () => number | undefined = free) => {
    const refusal = judgeSend({ ...open, ...changes }, token, 1)
    return refusal && `${refusal.status} ${refusal._tag} ${refusal.param ?? "-"}`
  }

  it("takes a free-form send inside the window M-WIN-01", () => assert.isUndefined(judged({})))

  it("refuses by the first check of the documented order M-MSG-23, M-PHN-53, M-ERR-05, M-ERR-06, M-ERR-07", () => {
    const faults: Array<readonly [object, string]> = [
      [{ creditBlocked: true }, "402 credit_balance_exhausted -"],
      [{ sender: undefined }, "404 phone_number_not_found sender.id"],
      [{ sender: { suspended_at: 0 } }, "403 phone_service_suspended -"],
      [{ overSpendCap: true }, "402 spend_limit_exceeded -"],
      [{ reply: { target: undefined } }, "404 message_not_found reply_to.message_id"],
      [{ optedOut: true }, "400 contact_opted_out recipient.id"],
      [{ latestInboundAt: undefined }, "400 service_window_required message.type"]
    ]
    faults.forEach(([, expected], index) => {
      const all = Object.assign(
        {},
        ...faults
          .slice(index)
          .toReversed()
          .map(([changes]) => changes)
      )
      assert.strictEqual(judged(all), expected)
    })
    assert.strictEqual(
      judged({ overSpendCap: true }, () => 40),
      "429 rate_limited -"
    )
  })

  it("takes no token for an unknown or suspended sender, gaps-2 A", () => {
    let drawn = 0
    const token = () => {
      drawn++
      return undefined
    }
    judged({ sender: undefined }, token)
    judged({ sender: { suspended_at: 0 } }, token)
    assert.strictEqual(drawn, 0)
    judged({}, token)
    assert.strictEqual(drawn, 1)
  })

  it("points errors of a reply target to feedback M-REPLY-01, M-REPLY-02, M-REPLY-03, M-REPLY-06", () => {
    const missing = judgeSend({ ...open, reply: { target: undefined } }, free, 1)
    const idless = judgeSend({ ...open, reply: { target: { provider_message_id: null } } }, free, 1)
    assert.deepStrictEqual([missing?._tag, missing?.feedback], ["message_not_found", true])
    assert.deepStrictEqual([idless?._tag, idless?.status, idless?.feedback], ["reply_target_unavailable", 409, true])
  })
})
