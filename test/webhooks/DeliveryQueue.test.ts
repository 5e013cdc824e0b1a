import { type AttemptOutcome, neverSent } from "@carteiro/runtime/webhooks/delivery/AttemptOutcome.ts"
import {
  applyAttempts,
  DeliveryQueue,
  type DueAttempt,
  type EndedAttempt,
  type EndpointNow,
  voided
} from "@carteiro/runtime/webhooks/delivery/DeliveryQueue.ts"
import { defaultRetrySchedules } from "@carteiro/runtime/webhooks/delivery/RetrySchedule.ts"
import { newHealth } from "@carteiro/runtime/webhooks/endpoint/EndpointHealth.ts"
import fc from "fast-check"
import { assert, describe, it } from "vitest"

const due = (id: string, more: Partial<DueAttempt> = {}): DueAttempt => ({
  id,
  environment_id: "env_1",
  webhook_event_id: `whe_${id}`,
  attempt: 1,
  explicit: false,
  due_at: 0,
  created_at: 0,
  event_id: `evt_${id}`,
  trace_id: "0".repeat(32),
  type: "message.received",
  envelope: "{}",
  bytes: 2,
  ...more
})
const active: EndpointNow = { environment: "sandbox", health: newHealth, stopped_at: null }
const ok: AttemptOutcome = { ...neverSent(""), succeeded: true, status_code: 200, error_message: null }
const bad: AttemptOutcome = { ...neverSent("no"), status_code: 500, failure_class: "server_error" }
const ended = (attempt: DueAttempt, outcome: AttemptOutcome): EndedAttempt => ({
  row: attempt,
  result: outcome,
  since: 0,
  at: 1,
  sent: true
})
const last = (id: string) => due(id, { attempt: 3 })
const applied = (batch: ReadonlyArray<EndedAttempt>, ...[endpoint]: ReadonlyArray<EndpointNow | undefined>) =>
  applyAttempts(
    batch,
    endpoint,
    defaultRetrySchedules.sandbox,
    () => 0.5,
    () => "att_next"
  )

describe("DeliveryQueue", () => {
  it("runs at most ten attempts and starts the next as each ends (gaps-1 K, at most 10 parallel attempts)", () => {
    const queue = new DeliveryQueue(10)
    queue.fill(
      Array.from({ length: 25 }, (_, n) => due(`a${n}`)),
      0
    )
    const first = Array.from({ length: 12 }, () => queue.take(active, 0))
    assert.strictEqual(first.filter((each) => each !== undefined).length, 10)
    queue.end(first[0] as DueAttempt, ok, 1)
    assert.strictEqual(queue.take(active, 0)?.id, "a10")
    assert.isUndefined(queue.take(active, 0))
  })

  it("never sends an attempt twice that a second read finds under way or not yet written (gaps-1 K, delivery guarantee)", () => {
    const queue = new DeliveryQueue(2)
    const read = [due("a"), due("b"), due("c")]
    queue.fill(read, 0)
    const a = queue.take(active, 0) as DueAttempt
    queue.take(active, 0)
    queue.end(a, ok, 1)
    queue.fill(read, 0)
    assert.strictEqual(queue.take(active, 0)?.id, "c")
    assert.deepStrictEqual(queue.underWay.toSorted(), ["a", "b", "c"])
    assert.strictEqual(queue.drain(10).length, 1)
  })

  it("ends attempts that must not be sent without sending them (gaps-1 J, deliveries waiting)", () => {
    const disabled = (disabled_reason: "manual" | "consecutive_failures"): EndpointNow => ({
      ...active,
      health: { ...newHealth, status: "disabled", disabled_reason }
    })
    const probe = due("p", { type: "webhook.test" })
    assert.strictEqual(voided(due("a"), undefined), "endpoint_deleted")
    assert.strictEqual(voided(due("a"), disabled("manual")), "endpoint_disabled")
    assert.strictEqual(voided(due("a"), { ...active, stopped_at: 1 }), "endpoint_disabled")
    assert.strictEqual(voided(due("a", { envelope: null }), active), "payload_unavailable")
    assert.strictEqual(voided(probe, disabled("manual")), "endpoint_disabled")
    assert.isUndefined(voided(probe, disabled("consecutive_failures")))
    assert.isUndefined(voided(due("a", { created_at: 1 }), { ...active, stopped_at: 1 }))
    const queue = new DeliveryQueue(10)
    queue.fill([due("a"), probe], 0)
    assert.strictEqual(queue.take(disabled("consecutive_failures"), 5)?.id, "p")
    assert.deepStrictEqual(
      queue.drain(9).map(({ row, sent }) => [row.id, sent]),
      [["a", false]]
    )
  })

  it("trips at the 20th failed delivery for every batching of its results A-WHE-24", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 10 }), { minLength: 10, maxLength: 30 }), (sizes) => {
        let endpoint = active
        let failures = 0
        for (const size of sizes) {
          const before = endpoint.health
          const batch = Array.from({ length: size }, (_, n) => ended(last(`${n}`), bad))
          const result = applied(batch, endpoint)
          if (before.status === "active") failures += size
          endpoint = { ...endpoint, health: result.health ?? before }
          assert.strictEqual(endpoint.health.status, failures >= 20 ? "disabled" : "active")
          assert.strictEqual(endpoint.health.failures, Math.min(failures, 20))
          assert.strictEqual(result.tripped, before.status === "active" && failures >= 20)
        }
      })
    )
  })

  it("starts nothing after the 20th failed delivery, and everything once a PATCH changed its effect A-WHE-24", () => {
    const queue = new DeliveryQueue(10)
    queue.fill(
      Array.from({ length: 40 }, (_, n) => last(`a${n}`)),
      0
    )
    let started = 0
    for (let attempt = queue.take(active, 0); attempt !== undefined; attempt = queue.take(active, 0)) {
      started++
      queue.end(attempt, bad, 1)
    }
    assert.strictEqual(started, 20)
    assert.deepStrictEqual([queue.unwritten, queue.waiting], [20, 20])
    const counted: EndpointNow = { ...active, health: { ...newHealth, failures: 1 } }
    assert.isUndefined(queue.take(counted, 0))
    const probation: EndpointNow = { ...active, health: { ...newHealth, probation: true } }
    assert.isUndefined(queue.take(probation, 0))
    assert.isTrue(applied(queue.drain(20), active).tripped)
    assert.isDefined(queue.take(active, 0))
  })

  it("continues after third failures in a sandbox whose clock is ahead, because they are retried (gaps-1 K, Retry schedule)", () => {
    const queue = new DeliveryQueue(10, () => defaultRetrySchedules.production)
    queue.fill(
      Array.from({ length: 40 }, (_, n) => last(`a${n}`)),
      0
    )
    let started = 0
    for (let attempt = queue.take(active, 0); attempt !== undefined; attempt = queue.take(active, 0)) {
      started++
      queue.end(attempt, bad, 1)
    }
    assert.strictEqual(started, 40)
  })

  it("continues while failures still have retries, or after a success in between A-WHE-24", () => {
    const queue = new DeliveryQueue(1)
    queue.fill(
      Array.from({ length: 80 }, (_, n) => (n % 2 === 0 ? last(`a${n}`) : due(`a${n}`))),
      0
    )
    const results = Array.from({ length: 80 }, (_, n) => (n === 38 ? ok : bad))
    let started = 0
    for (let attempt = queue.take(active, 0); attempt !== undefined; attempt = queue.take(active, 0)) {
      queue.end(attempt, results[started++] as AttemptOutcome, 1)
    }
    assert.strictEqual(started, 79)
    assert.isTrue(applied(queue.drain(79), active).tripped)
  })

  it("makes no retry for an endpoint that the batch disabled (gaps-1 J, deliveries waiting)", () => {
    const retried = ended(due("r"), bad)
    const batch = [retried, ...Array.from({ length: 20 }, (_, n) => ended(last(`${n}`), bad)), ended(due("s"), bad)]
    const { deliveries, tripped } = applied(batch, active)
    assert.isTrue(tripped)
    assert.deepStrictEqual(
      deliveries[0]?.attempts.map(({ status, error_message }) => [status, error_message]),
      [
        ["failed", "no"],
        ["failed", "endpoint_disabled"]
      ]
    )
    assert.strictEqual(deliveries.at(-1)?.attempts.length, 1)
  })

  it("does not count attempts that were never sent A-WHE-24", () => {
    const void_ = { row: last("a"), result: neverSent("endpoint_disabled"), since: 1, at: 1, sent: false }
    assert.deepStrictEqual(applied([void_], active).health, newHealth)
    assert.isUndefined(applied([ended(due("a"), ok)], undefined).health)
  })
})
