import { type AttemptOutcome, neverSent } from "@carteiro/runtime/webhooks/delivery/AttemptOutcome.ts"
import {
  applyAttempts,
  DeliveryQueue,
  type DueAttempt,
  type EndpointNow
} from "@carteiro/runtime/webhooks/delivery/DeliveryQueue.ts"
import {
  cancel,
  type Delivery,
  newDelivery,
  type Stop,
  statusOf
} from "@carteiro/runtime/webhooks/delivery/DeliveryState.ts"
import { defaultRetrySchedules } from "@carteiro/runtime/webhooks/delivery/RetrySchedule.ts"
import { newHealth, patchHealth, stoppedBy } from "@carteiro/runtime/webhooks/endpoint/EndpointHealth.ts"
import { resend, resendRefusal } from "@carteiro/runtime/webhooks/log/Resend.ts"
import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { EndpointOracle } from "./EndpointOracle.ts"
import { second, World } from "./World.ts"

/** What a receiver does with what it is sent. */
export type ReceiverMode = "up" | "down" | "flaky" | "slow" | "closed"

/** What is done to an endpoint from outside. */
export type EndpointAction =
  | { readonly kind: "raise"; readonly count: number }
  | { readonly kind: "receiver"; readonly mode: ReceiverMode }
  | { readonly kind: "patch"; readonly status: "active" | "disabled" | undefined; readonly url: boolean }
  | { readonly kind: "probe" }
  | { readonly kind: "resend"; readonly nth: number }
  /** The node goes away: what it held in memory is lost, what it was writing may be too. */
  | { readonly kind: "crash" }

const parallel = 10
const writeAtOnce = 256

/** One endpoint, its table and its owner's memory, put together from the rules as the owner puts them together. */
export class EndpointWorld extends World {
  readonly oracle: EndpointOracle
  /** The table. */
  private readonly log = new Map<string, Delivery>()
  /** Those of it with a pending attempt. */
  private readonly open = new Map<string, Delivery>()
  private stored: EndpointNow
  /** The owner's memory. */
  private endpoint: EndpointNow
  private queue = new DeliveryQueue(parallel)
  private life = 0
  private down = false
  private passing = false
  private again = false
  private asked = false
  private lookAt = 0
  private wire = 0
  private writing: Array<{ readonly apply: () => void }> = []
  private mode: ReceiverMode = "up"
  private minted = 0

  constructor(seed: number, environment: EnvironmentKind) {
    super(seed)
    this.stored = { environment, health: newHealth, stopped_at: null }
    this.endpoint = this.stored
    this.oracle = new EndpointOracle(defaultRetrySchedules[environment])
  }

  get deliveries(): ReadonlyArray<Delivery> {
    return [...this.log.values()]
  }

  get delays() {
    return defaultRetrySchedules[this.endpoint.environment]
  }

  act(action: EndpointAction): void {
    switch (action.kind) {
      case "raise":
        for (let n = 0; n < action.count && this.stored.health.status === "active"; n++) this.insert("message.received")
        this.pass()
        break
      case "receiver":
        this.mode = action.mode
        break
      case "patch":
        this.patch(action.status, action.url)
        break
      case "probe":
        if (this.down || this.endpoint.health.disabled_reason === "manual") break
        this.commit(() => {
          this.insert("webhook.test")
          this.pass()
        })
        break
      case "resend":
        this.resend(action.nth)
        break
      case "crash":
        this.crash()
        break
    }
  }

  private put(delivery: Delivery): void {
    this.log.set(delivery.id, delivery)
    if (delivery.attempts.some(({ status }) => status === "pending")) this.open.set(delivery.id, delivery)
    else this.open.delete(delivery.id)
  }

  private mint(): string {
    return `att_${++this.minted}`
  }

  private insert(type: string): void {
    const id = `whe_${++this.minted}`
    this.put(newDelivery({ id, type, attempt_id: this.mint(), at: this.now, due_at: this.now }))
  }

  private patch(status: "active" | "disabled" | undefined, urlChanged: boolean): void {
    if (this.down) return
    const health = patchHealth(this.endpoint.health, { status, urlChanged })
    if (health === this.endpoint.health) return
    const stop = stoppedBy(this.endpoint.health, health)
    this.endpoint = { ...this.endpoint, health, stopped_at: stop === undefined ? this.endpoint.stopped_at : this.now }
    this.oracle.patched(status, urlChanged)
    this.oracle.sees(this.endpoint.health)
    if (stop !== undefined) this.queue.clear()
    const { endpoint } = this
    const keep = this.queue.underWay
    this.commit(() => {
      this.stored = endpoint
      if (stop !== undefined) this.cancelAll(stop, keep)
      this.pass()
    })
  }

  private resend(nth: number): void {
    const delivery = this.deliveries[nth % Math.max(1, this.log.size)]
    if (delivery === undefined) return
    const endpoint = this.stored.health.status
    const refusal = resendRefusal({ delivery, endpoint, payloadAvailable: true, phoneServiceSuspended: false })
    this.oracle.askedAgain(delivery, endpoint, refusal?._tag)
    if (refusal !== undefined) return
    const after = resend(delivery, { at: this.now, attemptId: this.mint() })
    this.oracle.resent(delivery, after.delivery)
    this.put(after.delivery)
    this.pass()
  }

  private crash(): void {
    const done = this.seeds.between(0, this.writing.length)
    const life = ++this.life
    this.down = true
    for (const { apply } of this.writing.splice(0).slice(0, done)) apply()
    this.endpoint = this.stored
    this.oracle.reloaded(this.stored.health)
    this.queue = new DeliveryQueue(parallel)
    this.passing = false
    this.asked = false
    this.lookAt = 0
    this.wire = 0
    this.after(this.seeds.between(100, 5 * second), () => {
      if (life !== this.life) return
      this.down = false
      this.pass()
    })
  }

  /** Commits on one endpoint are written one after another, each moments after it was decided, or seconds. */
  private commit(apply: () => void): void {
    const entry = { apply }
    this.writing.push(entry)
    if (this.writing.length === 1) this.writeNext()
  }

  private writeNext(): void {
    const { life } = this
    this.after(this.seeds.between(0, this.seeds.chance(0.2) ? 3 * second : 40), () => {
      if (life !== this.life) return
      const next = this.writing.shift()
      next?.apply()
      if (this.writing.length > 0 && life === this.life) this.writeNext()
    })
  }

  /** One pass of the owner: writes what has ended, reads what is due, puts it on the wire. */
  private pass(): void {
    if (this.down) return
    if (this.passing) {
      this.again = true
      return
    }
    this.passing = true
    this.again = false
    this.asked = false
    const batch = this.queue.drain(writeAtOnce)
    const applied = applyAttempts(
      batch,
      this.endpoint,
      this.delays,
      () => this.seeds.next(),
      () => this.mint()
    )
    this.oracle.judged(batch, applied.deliveries)
    if (applied.health !== undefined) {
      const stopped_at = applied.tripped ? this.now : this.endpoint.stopped_at
      this.endpoint = { ...this.endpoint, health: applied.health, stopped_at }
    }
    this.oracle.sees(this.endpoint.health)
    if (applied.tripped) this.queue.clear()
    const keep = [...this.queue.underWay, ...batch.map(({ row }) => row.id)]
    const { endpoint, life } = this
    const write = () => {
      this.stored = endpoint
      for (const { ended, attempts } of applied.deliveries) this.end(ended.row, attempts)
      if (applied.tripped) this.cancelAll("breaker", keep)
      if (life !== this.life) return
      this.read()
      this.passing = false
      if (this.again || this.queue.unwritten > 0) this.pass()
    }
    if (batch.length === 0) write()
    else this.commit(write)
  }

  private end({ webhook_event_id, id }: DueAttempt, attempts: Delivery["attempts"]): void {
    const delivery = this.log.get(webhook_event_id) as Delivery
    const [result, retry] = attempts
    const known = delivery.attempts.find((attempt) => attempt.id === id)
    if (result === undefined || known?.status !== "pending") return
    const ended = delivery.attempts.map((attempt) => (attempt.id === id ? { ...attempt, ...result } : attempt))
    const all = retry === undefined ? ended : [...ended, retry]
    this.put({ ...delivery, attempts: all, status: statusOf(all) })
  }

  private cancelAll(stop: Stop, keep: ReadonlyArray<string>): void {
    const kept = new Set(keep)
    for (const delivery of [...this.open.values()]) {
      const attempts = delivery.attempts.map((attempt) => ({ ...attempt, on_wire: kept.has(attempt.id) }))
      this.put(cancel({ ...delivery, attempts }, stop))
    }
  }

  private read(): void {
    const due: Array<DueAttempt> = []
    let next = Number.POSITIVE_INFINITY
    for (const { attempts, id, type } of this.open.values()) {
      for (const attempt of attempts) {
        if (attempt.status !== "pending") continue
        if (attempt.due_at > this.now) next = Math.min(next, attempt.due_at)
        else
          due.push({
            ...attempt,
            environment_id: "env",
            webhook_event_id: id,
            event_id: id,
            trace_id: id,
            type,
            envelope: "{}",
            bytes: 2
          })
      }
    }
    this.queue.fill(due.toSorted((one, other) => one.due_at - other.due_at).slice(0, 200), this.now)
    if (next !== this.lookAt && next < Number.POSITIVE_INFINITY) {
      this.lookAt = next
      this.at(next, () => this.pass())
    }
    this.send()
  }

  private send(): void {
    for (let next = this.queue.take(this.endpoint, this.now); next; next = this.queue.take(this.endpoint, this.now)) {
      const attempt = next
      const { life, now: since } = this
      this.oracle.started(attempt, ++this.wire, this.endpoint)
      const { latency, outcome } = this.receive()
      this.after(latency, () => {
        if (life !== this.life) return
        this.wire--
        this.queue.end(attempt, outcome, this.now)
        this.oracle.ended({ row: attempt, result: outcome, since, at: this.now, sent: true })
        this.send()
      })
    }
    if (this.queue.unwritten === 0 || this.asked) return
    this.asked = true
    this.after(0, () => this.pass())
  }

  private receive(): { readonly latency: number; readonly outcome: AttemptOutcome } {
    const fails = this.mode === "down" || this.mode === "closed" || (this.mode === "flaky" && this.seeds.chance(0.6))
    const latency = this.seeds.between(1, this.mode === "slow" || this.mode === "closed" ? 15 * second : 60)
    const failure_class = this.mode === "closed" ? ("timeout" as const) : ("server_error" as const)
    return {
      latency,
      outcome: fails
        ? { ...neverSent("no"), status_code: this.mode === "closed" ? null : 503, failure_class }
        : { ...neverSent(""), succeeded: true, status_code: 200, error_message: null }
    }
  }
}
