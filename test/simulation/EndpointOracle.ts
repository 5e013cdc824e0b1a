import type {
  AppliedAttempts,
  DueAttempt,
  EndedAttempt,
  EndpointNow
} from "@carteiro/runtime/webhooks/delivery/DeliveryQueue.ts"
import type { Delivery } from "@carteiro/runtime/webhooks/delivery/DeliveryState.ts"
import type { RetryDelays } from "@carteiro/runtime/webhooks/delivery/RetrySchedule.ts"
import type { EndpointHealth } from "@carteiro/runtime/webhooks/endpoint/EndpointHealth.ts"
import { assert } from "vitest"

/** The breaker as its decisions word it: a count, and what a trip and a PATCH do to it. gaps-1 J */
interface Breaker {
  readonly on: boolean
  readonly count: number
  readonly probation: boolean
  /** A trip since the last activation. */
  readonly owed: boolean
}

/** Watches an endpoint and fails as soon as it does what the contract rules out. */
export class EndpointOracle {
  /** Deliveries whose end a stop excuses. */
  readonly stopped = new Set<string>()
  trips = 0
  private breaker: Breaker = { on: true, count: 0, probation: false, owed: false }
  private unwritten: Array<EndedAttempt> = []
  private readonly delays: RetryDelays

  constructor(delays: RetryDelays) {
    this.delays = delays
  }

  patched(status: "active" | "disabled" | undefined, url: boolean): void {
    const { on, owed, probation } = this.breaker
    if (url) this.breaker = { ...this.breaker, count: 0 }
    if (status === "disabled") this.breaker = { ...this.breaker, on: false }
    if (status === "active" && !on) this.breaker = { on: true, count: 0, probation: probation || owed, owed: false }
  }

  /** Memory was lost: the table is what counts. */
  reloaded(health: EndpointHealth): void {
    const { failures, probation, probation_due, status } = health
    this.breaker = { on: status === "active", count: failures, probation, owed: probation_due }
    this.unwritten = []
  }

  started(attempt: DueAttempt, onWire: number, { health }: EndpointNow): void {
    assert.isAtMost(onWire, 10, "attempts on the wire")
    if (attempt.type === "webhook.test")
      assert.notStrictEqual(health.disabled_reason, "manual", "a probe of a stopped one")
    else assert.isTrue(this.after(this.unwritten).on, "an attempt started although the breaker had tripped")
    assert.isTrue(attempt.explicit || attempt.attempt <= this.delays.length, "more attempts than the schedule holds")
  }

  ended(attempt: EndedAttempt): void {
    this.unwritten.push(attempt)
  }

  /** What the owner is about to write of ended attempts. */
  judged(batch: ReadonlyArray<EndedAttempt>, deliveries: AppliedAttempts["deliveries"]): void {
    const sent = batch.filter((ended) => ended.sent)
    assert.isTrue(
      sent.every(({ row }, n) => row.id === this.unwritten[n]?.row.id),
      "results in the order they came"
    )
    const wasOn = this.breaker.on
    deliveries.forEach(({ attempts: [result, retry], ended }) => {
      const { row: attempt, at } = ended
      const on = this.breaker.on
      if (ended.sent) this.breaker = this.count(this.breaker, ended)
      if (!ended.sent || !on) this.stopped.add(attempt.webhook_event_id)
      if (result?.next_retry_at == null) return
      const delay = this.delays[attempt.attempt] ?? Number.NaN
      assert.isAtLeast(result.next_retry_at, at + Math.floor(delay * 0.9), "a retry before its time")
      assert.isAtMost(result.next_retry_at, at + Math.ceil(delay * 1.1), "a retry after its time")
      assert.strictEqual(retry?.due_at, result.next_retry_at, "the retry that was announced")
      if (retry?.status === "failed") this.stopped.add(attempt.webhook_event_id)
    })
    this.unwritten.splice(0, sent.length)
    if (wasOn && !this.breaker.on) this.trips++
  }

  sees(health: EndpointHealth): void {
    const { count, on, owed, probation } = this.breaker
    const seen = {
      on: health.status === "active",
      count: health.failures,
      probation: health.probation,
      owed: health.probation_due
    }
    assert.deepStrictEqual(seen, { on, count, probation, owed }, "the breaker")
    assert.isAtMost(health.failures, 20)
    assert.strictEqual(health.disabled_reason === null, on)
  }

  askedAgain(delivery: Delivery, endpoint: "active" | "disabled", refused: string | undefined): void {
    const expected =
      delivery.type === "webhook.test"
        ? "webhook_test_not_resendable"
        : endpoint === "disabled"
          ? "webhook_endpoint_disabled"
          : undefined
    assert.strictEqual(refused, expected, "a resend")
  }

  resent(before: Delivery, after: Delivery): void {
    const more = after.attempts.length - before.attempts.length
    assert.strictEqual(more, before.status === "pending" ? 0 : 1, "attempts of a resend")
    assert.strictEqual(after.status, before.status === "delivered" ? "delivered" : "pending")
  }

  /** What holds once nothing is left to do. */
  finished(deliveries: ReadonlyArray<Delivery>): void {
    for (const { attempts, id, status, type } of deliveries) {
      const automatic = attempts.filter(({ explicit }) => !explicit).length
      const most = type === "webhook.test" ? 1 : this.delays.length
      const excused =
        this.stopped.has(id) || attempts.some(({ error_message }) => error_message === "endpoint_disabled")
      const fine =
        status !== "pending" &&
        attempts.every(({ attempt }, n) => attempt === n + 1) &&
        automatic <= most &&
        (status === "delivered" || excused || automatic === most)
      if (!fine) assert.fail(`${id} is ${status}: ${JSON.stringify(attempts)}`)
    }
  }

  private after(results: ReadonlyArray<EndedAttempt>): Breaker {
    return results.reduce((breaker, ended) => this.count(breaker, ended), this.breaker)
  }

  private count(breaker: Breaker, { row: attempt, result: outcome }: EndedAttempt): Breaker {
    const { count, on, probation } = breaker
    const probe = attempt.type === "webhook.test"
    if (probe && (!on || probation)) return breaker
    if (outcome.succeeded) return { ...breaker, count: 0, probation: false }
    const last = probe || attempt.explicit || attempt.attempt === this.delays.length
    if (!on || !last) return breaker
    const trips = count + 1 === (probation ? 3 : 20)
    return { ...breaker, count: count + 1, on: !trips, owed: breaker.owed || trips }
  }
}
