import type { AttemptOutcome } from "@carteiro/runtime/webhooks/delivery/AttemptOutcome.ts"
import {
  type CompletedAttempt,
  cancel,
  complete,
  type Delivery,
  newDelivery
} from "@carteiro/runtime/webhooks/delivery/DeliveryState.ts"
import { defaultRetrySchedules } from "@carteiro/runtime/webhooks/delivery/RetrySchedule.ts"
import {
  planBulkResend,
  plausibleIds,
  type ResendFacts,
  resend,
  resendRefusal
} from "@carteiro/runtime/webhooks/log/Resend.ts"
import fc from "fast-check"
import { assert, describe, it } from "vitest"

const success: AttemptOutcome = {
  succeeded: true,
  status_code: 200,
  failure_class: null,
  response_body_redacted: null,
  error_message: null
}
const failure: AttemptOutcome = {
  succeeded: false,
  status_code: 500,
  failure_class: "server_error",
  response_body_redacted: "no",
  error_message: "unexpected_status"
}
const fresh = (type = "message.received"): Delivery =>
  newDelivery({ id: "whe_1", type, attempt_id: "att_1", at: 0, due_at: 0 })
const pendingId = (delivery: Delivery): string => delivery.attempts.find((each) => each.status === "pending")?.id ?? ""

const end = (delivery: Delivery, outcome: AttemptOutcome, rest: Partial<CompletedAttempt> = {}) =>
  complete(delivery, {
    attempt_id: pendingId(delivery),
    at: 1_000,
    attempted_at: 900,
    outcome,
    endpoint: "active",
    delays: defaultRetrySchedules.sandbox,
    draw: 0.5,
    nextAttemptId: `att_${delivery.attempts.length + 1}`,
    ...rest
  })
const failAll = (delivery: Delivery): Delivery => {
  let state = delivery
  while (state.status === "pending") state = end(state, failure).delivery
  return state
}
const onWire = (delivery: Delivery): Delivery => ({
  ...delivery,
  attempts: delivery.attempts.map((each) => (each.status === "pending" ? { ...each, on_wire: true } : each))
})

describe("DeliveryState", () => {
  it("starts pending with a pending first attempt A-WHV-02 A-WHV-05", () => {
    const row = fresh()
    assert.strictEqual(row.status, "pending")
    assert.deepInclude(row.attempts[0], { attempt: 1, status: "pending", failure_class: null, next_retry_at: null })
  })

  it("is delivered on the first success A-WHV-02", () => {
    const { delivery, fact } = end(fresh(), success)
    assert.strictEqual(delivery.status, "delivered")
    assert.deepInclude(delivery.attempts[0], { status: "succeeded", status_code: 200, next_retry_at: null })
    assert.strictEqual(fact?.outcome, "delivered")
  })

  it("creates attempt n+1 with the failure of attempt n, which shows its time A-WHV-10", () => {
    const { delivery, fact } = end(fresh(), failure)
    assert.strictEqual(delivery.status, "pending")
    assert.deepInclude(delivery.attempts[0], { status: "failed", failure_class: "server_error", next_retry_at: 6_000 })
    assert.deepInclude(delivery.attempts[1], { attempt: 2, status: "pending", due_at: 6_000, created_at: 1_000 })
    assert.strictEqual(fact?.outcome, "uncounted")
  })

  it("fails after the last automatic attempt, whose next_retry_at is null, and counts once A-WHV-10 A-WHE-24", () => {
    for (const [delays, attempts] of [
      [defaultRetrySchedules.sandbox, 3],
      [defaultRetrySchedules.production, 8]
    ] as const) {
      let row = fresh()
      const facts: Array<string | undefined> = []
      while (row.status === "pending") {
        const step = end(row, failure, { delays })
        facts.push(step.fact?.outcome)
        row = step.delivery
      }
      assert.strictEqual(row.status, "failed")
      assert.strictEqual(row.attempts.length, attempts)
      assert.isNull(row.attempts.at(-1)?.next_retry_at)
      assert.deepStrictEqual(facts, [...Array<string>(attempts - 1).fill("uncounted"), "failed"])
    }
  })

  it("ends a probe at its first failure A-WHT-06", () => {
    const { delivery, fact } = end(fresh("webhook.test"), failure)
    assert.strictEqual(delivery.status, "failed")
    assert.strictEqual(delivery.attempts.length, 1)
    assert.strictEqual(fact?.outcome, "failed")
  })

  it("ignores a second result of one attempt (gaps-1 K, delivery guarantee)", () => {
    const ended = end(fresh(), success).delivery
    const again = end(ended, failure, { attempt_id: "att_1" })
    assert.strictEqual(again.delivery, ended)
    assert.isUndefined(again.fact)
  })

  it.each([
    ["manual", "endpoint_disabled"],
    ["breaker", "endpoint_disabled"],
    ["deleted", "endpoint_deleted"]
  ] as const)("ends waiting attempts at once when stopped by %s with %s (gaps-1 J)", (stop, error_message) => {
    const row = cancel(end(fresh(), failure).delivery, stop)
    assert.strictEqual(row.status, "failed")
    assert.deepInclude(row.attempts[1], { status: "failed", error_message, failure_class: null, next_retry_at: null })
    assert.deepInclude(row.attempts[0], { error_message: "unexpected_status" })
  })

  it("lets a running attempt finish, then neither retries nor counts it (gaps-1 J)", () => {
    const row = cancel(onWire(fresh()), "manual")
    assert.strictEqual(row.status, "pending")
    for (const endpoint of ["disabled", "deleted"] as const) {
      const { delivery, fact } = end(row, failure, { endpoint })
      assert.strictEqual(delivery.status, "failed")
      assert.strictEqual(delivery.attempts.length, 1)
      assert.strictEqual(fact?.outcome, "uncounted")
    }
    assert.strictEqual(end(row, success, { endpoint: "disabled" }).delivery.status, "delivered")
  })

  it("keeps a waiting probe when the breaker trips A-WHT-11", () => {
    assert.strictEqual(cancel(fresh("webhook.test"), "breaker").status, "pending")
    assert.strictEqual(cancel(fresh("webhook.test"), "manual").status, "failed")
  })
})

describe("Resend", () => {
  it("adds one attempt with the next number and no automatic retry A-WHV-17", () => {
    const { delivery, attempt } = resend(failAll(fresh()), { at: 9_000, attemptId: "att_9" })
    assert.strictEqual(delivery.status, "pending")
    assert.deepInclude(attempt, { id: "att_9", attempt: 4, status: "pending", due_at: 9_000, explicit: true })
    const { delivery: ended, fact } = end(delivery, failure)
    assert.strictEqual(ended.status, "failed")
    assert.strictEqual(ended.attempts.length, 4)
    assert.strictEqual(fact?.outcome, "failed")
    assert.strictEqual(end(delivery, success).delivery.status, "delivered")
  })

  it("never retries a resend of a cancelled row, although its schedule has attempts left", () => {
    const { delivery } = resend(cancel(fresh(), "manual"), { at: 9_000, attemptId: "att_2" })
    assert.strictEqual(end(delivery, failure).delivery.attempts.length, 2)
  })

  it("leaves a delivered row delivered whatever the result of the resend (gaps-1 K)", () => {
    const { delivery } = resend(end(fresh(), success).delivery, { at: 9_000, attemptId: "att_2" })
    assert.strictEqual(delivery.status, "delivered")
    const failed = end(delivery, failure)
    assert.strictEqual(failed.delivery.status, "delivered")
    assert.strictEqual(failed.fact?.outcome, "failed")
    assert.strictEqual(cancel(delivery, "manual").status, "delivered")
  })

  it("makes the scheduled attempt of a pending row due now and keeps its retries (gaps-1 K)", () => {
    const waiting = end(fresh(), failure).delivery
    const { delivery, attempt } = resend(waiting, { at: 2_000, attemptId: "att_9" })
    assert.deepInclude(attempt, { attempt: 2, due_at: 2_000, explicit: false })
    assert.strictEqual(delivery.attempts.length, 2)
    assert.strictEqual(end(delivery, failure).delivery.attempts.length, 3)
  })

  const facts = (rest: Partial<ResendFacts> = {}): ResendFacts => ({
    delivery: failAll(fresh()),
    endpoint: "active",
    payloadAvailable: true,
    phoneServiceSuspended: false,
    ...rest
  })

  it.each([
    ["webhook_event_not_found", undefined],
    ["webhook_endpoint_not_found", facts({ endpoint: "deleted", payloadAvailable: false })],
    ["webhook_test_not_resendable", facts({ delivery: failAll(fresh("webhook.test")), endpoint: "disabled" })],
    ["webhook_endpoint_disabled", facts({ endpoint: "disabled", payloadAvailable: false })],
    ["webhook_event_payload_unavailable", facts({ payloadAvailable: false, phoneServiceSuspended: true })],
    ["phone_service_suspended", facts({ phoneServiceSuspended: true })]
  ] as const)("refuses with %s before anything later in the order A-WHT-16 A-WHV-20", (code, input) => {
    assert.strictEqual(resendRefusal(input)?._tag, code)
  })

  it("is allowed when no rule refuses it", () => {
    assert.isUndefined(resendRefusal(facts()))
  })

  it("counts every given id as enqueued or skipped A-WHV-19 A-WHV-21 A-WHT-17", () => {
    const some = fc.constantFrom(
      facts(),
      facts({ phoneServiceSuspended: true }),
      facts({ delivery: failAll(fresh("webhook.test")) }),
      facts({ endpoint: "disabled" })
    )
    fc.assert(
      fc.property(
        fc.array(some, { maxLength: 30 }),
        fc.nat(20),
        fc.option(fc.integer({ min: 1, max: 100 }), { nil: undefined }),
        fc.boolean(),
        (selected, unknown, limit, byIds) => {
          const ids = byIds ? Array.from({ length: selected.length + unknown }, (_, n) => `whe_${n}`) : undefined
          const plan = planBulkResend({ ids, limit }, selected)
          assert.strictEqual(plan.requested, plan.enqueue.length + plan.skipped)
          assert.strictEqual(plan.requested, ids?.length ?? Math.min(selected.length, limit ?? 100))
          assert.isAtMost(plan.enqueue.length, limit ?? 100)
          assert.isTrue(plan.enqueue.every((each) => resendRefusal(each) === undefined))
        }
      )
    )
  })

  it("queries only ids with the form of an id (gaps-1 A, identifier format)", () => {
    const good = "whe_01kah7v3m8q6x2r9d4t5w0y1z3"
    assert.deepStrictEqual(plausibleIds([good, "whe_1", "we_01kah7v3m8q6x2r9d4t5w0y1z3", "a\0b", ""]), [good])
  })
})

describe("DeliveryState, any history", () => {
  type Step = "fail" | "succeed" | "resend" | "stop"
  it("keeps numbers contiguous, a delivered row delivered and a pending row with one open attempt A-WHV-02 A-WHV-05", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom<Step>("fail", "fail", "succeed", "resend", "stop")), (history) => {
        let row = fresh()
        for (const step of history) {
          const before = row
          if (step === "resend") row = resend(row, { at: 5, attemptId: `att_r${row.attempts.length}` }).delivery
          else if (step === "stop") row = cancel(row, "manual")
          else
            row = end(row, step === "succeed" ? success : failure, {
              nextAttemptId: `att_n${row.attempts.length}`
            }).delivery
          if (before.status === "delivered") assert.strictEqual(row.status, "delivered")
          const open = row.attempts.filter((each) => each.status === "pending").length
          if (row.status === "pending") assert.strictEqual(open, 1)
          if (row.status === "failed") assert.strictEqual(open, 0)
          assert.deepStrictEqual(
            row.attempts.map((each) => each.attempt),
            row.attempts.map((_, index) => index + 1)
          )
          assert.isTrue(row.attempts.every((each) => each.failure_class === null || each.status === "failed"))
          assert.isTrue(row.attempts.every((each) => each.next_retry_at === null || each.status === "failed"))
        }
      })
    )
  })
})
