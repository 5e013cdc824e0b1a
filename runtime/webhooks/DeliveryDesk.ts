import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { webhookTestEvent } from "@carteiro/schema/webhooks/EventCatalog.ts"
import { type AttemptOutcome, neverSent } from "./AttemptOutcome.ts"
import { type Attempt, cancel, complete, type Delivery, pendingAttempt } from "./DeliveryState.ts"
import { type EndpointHealth, recordDelivery, recordProbe, stoppedBy } from "./EndpointHealth.ts"
import type { RetryDelays } from "./RetrySchedule.ts"

/** One attempt that is due, with what it sends. */
export interface DueAttempt {
  readonly id: string
  readonly environment_id: string
  readonly webhook_event_id: string
  readonly attempt: number
  readonly explicit: boolean
  readonly due_at: number
  readonly created_at: number
  /** The outbox event's id. */
  readonly event_id: string
  readonly type: string
  /** Null once the payload was cleared. */
  readonly envelope: string | null
}

/** How one attempt ended; one that was never `sent` says nothing of the endpoint. */
export interface EndedAttempt {
  readonly attempt: DueAttempt
  readonly outcome: AttemptOutcome
  readonly at: number
  readonly sent: boolean
}

/** What decides whether an attempt may be sent; undefined stands for an endpoint that was deleted. */
export interface EndpointNow {
  readonly environment: EnvironmentKind
  readonly health: EndpointHealth
  readonly stopped_at: number | null
}

/** Why an attempt must not be sent, as its `error_message`, or undefined. gaps-1 J "Deliveries waiting" */
export const voided = (attempt: DueAttempt, endpoint: EndpointNow | undefined): string | undefined => {
  if (endpoint === undefined) return "endpoint_deleted"
  if (attempt.envelope === null) return "payload_unavailable"
  const { health, stopped_at } = endpoint
  if (attempt.type === webhookTestEvent) return health.disabled_reason === "manual" ? "endpoint_disabled" : undefined
  return health.status === "disabled" || (stopped_at !== null && attempt.created_at < stopped_at)
    ? "endpoint_disabled"
    : undefined
}

/** The attempts of one endpoint in this node's memory: the head of the queue, what is on the wire, what has ended. */
export class DeliveryDesk {
  private head: Array<DueAttempt> = []
  private next = 0
  private readonly onWire = new Map<string, DueAttempt>()
  private ended: Array<EndedAttempt> = []
  private readonly parallel: number

  constructor(parallel: number) {
    this.parallel = parallel
  }

  /** Attempts read and not yet on the wire. */
  get waiting(): number {
    return this.head.length - this.next
  }

  get wire(): number {
    return this.onWire.size
  }

  /** Attempts that have ended and are not written yet. */
  get unwritten(): number {
    return this.ended.length
  }

  /** Attempts a read finds although they are under way here. */
  get underWay(): ReadonlyArray<string> {
    return [...this.onWire.keys(), ...this.ended.map(({ attempt }) => attempt.id)]
  }

  /** Replaces the head by what was just read; what is under way is left out. */
  fill(attempts: ReadonlyArray<DueAttempt>): void {
    const known = new Set(this.underWay)
    this.head = attempts.filter(({ id }) => !known.has(id))
    this.next = 0
  }

  /** Forgets the head: it will be read again. */
  clear(): void {
    this.head = []
    this.next = 0
  }

  /** The next attempt to put on the wire, while there is room; one that must not be sent ends here. */
  take(endpoint: EndpointNow | undefined, now: number): DueAttempt | undefined {
    while (this.onWire.size < this.parallel && this.next < this.head.length) {
      const attempt = this.head[this.next++] as DueAttempt
      const reason = voided(attempt, endpoint)
      if (reason === undefined) {
        this.onWire.set(attempt.id, attempt)
        return attempt
      }
      this.ended.push({ attempt, outcome: neverSent(reason), at: now, sent: false })
    }
    return undefined
  }

  /** A sent attempt ended. */
  end(attempt: DueAttempt, outcome: AttemptOutcome, at: number): void {
    if (this.onWire.delete(attempt.id)) this.ended.push({ attempt, outcome, at, sent: true })
  }

  /** Takes what has ended, at most `count`, to be written. */
  drain(count: number): ReadonlyArray<EndedAttempt> {
    return this.ended.splice(0, count)
  }
}

/** What a batch of ended attempts comes to. Each delivery holds its ended attempt and, after it, the retry if any. */
export interface Settled {
  readonly deliveries: ReadonlyArray<{ readonly ended: EndedAttempt; readonly attempts: ReadonlyArray<Attempt> }>
  readonly health: EndpointHealth | undefined
  /** The breaker tripped in this batch. */
  readonly tripped: boolean
}

/**
 * Settles ended attempts in their order: each one's fact moves the health before the next is judged, so that the breaker
 * trips at the very failure that reaches its limit, whatever was sent in parallel. A-WHE-24, A-WHE-29, gaps-1 J
 */
export const settle = (
  batch: ReadonlyArray<EndedAttempt>,
  endpoint: EndpointNow | undefined,
  delays: RetryDelays,
  draw: () => number,
  mintAttempt: (at: number) => string
): Settled => {
  let health = endpoint?.health
  let tripped = false
  const settled = batch.map((ended) => {
    const { attempt, outcome, at, sent } = ended
    const delivery = asDelivery(attempt)
    const state = health === undefined ? "deleted" : sent ? health.status : "disabled"
    const failed = !outcome.succeeded
    const { delivery: after, fact } = complete(delivery, {
      attempt_id: attempt.id,
      at,
      outcome,
      endpoint: state,
      delays,
      draw: failed ? draw() : 0,
      nextAttemptId: failed ? mintAttempt(at) : ""
    })
    if (health !== undefined && fact !== undefined && sent) {
      const next = attempt.type === webhookTestEvent ? recordProbe(health, fact) : recordDelivery(health, fact)
      tripped = tripped || stoppedBy(health, next) === "breaker"
      health = next
    }
    return { ended, delivery: after }
  })
  return {
    health,
    tripped,
    deliveries: settled.map(({ ended, delivery }) => ({
      ended,
      // A retry of this batch is not in the table yet, where the others are cancelled.
      attempts: (tripped ? cancel(delivery, "breaker") : delivery).attempts
    }))
  }
}

const asDelivery = (attempt: DueAttempt): Delivery => ({
  id: attempt.webhook_event_id,
  type: attempt.type,
  status: "pending",
  attempts: [pendingAttempt(attempt)]
})
