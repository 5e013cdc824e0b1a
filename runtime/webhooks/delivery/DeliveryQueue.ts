import { type Ended, type QueueRow, QueueRows } from "@carteiro/owners/Queue.ts"
import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { webhookTestEvent } from "@carteiro/schema/webhooks/EventCatalog.ts"
import { type EndpointHealth, recordDelivery, recordProbe, stoppedBy } from "../endpoint/EndpointHealth.ts"
import { type AttemptOutcome, neverSent, nothingToSend } from "./AttemptOutcome.ts"
import { type Attempt, cancel, complete, type Delivery, pendingAttempt } from "./DeliveryState.ts"
import { defaultRetrySchedules, type RetryDelays } from "./RetrySchedule.ts"

/** One due attempt, with its content. */
export interface DueAttempt extends QueueRow {
  readonly environment_id: string
  readonly webhook_event_id: string
  readonly attempt: number
  readonly explicit: boolean
  readonly due_at: number
  readonly created_at: number
  /** The outbox event's id. */
  readonly event_id: string
  readonly type: string
  /** The trace of the event. */
  readonly trace_id: string
  /** Null once the payload was cleared. */
  readonly envelope: string | null
}

/** The end of one attempt; an attempt that was never `sent` does not count for the endpoint. */
export type EndedAttempt = Ended<DueAttempt, AttemptOutcome>

/** The facts that decide whether an attempt may be sent; undefined for a deleted endpoint. */
export interface EndpointNow {
  readonly environment: EnvironmentKind
  readonly health: EndpointHealth
  readonly stopped_at: number | null
}

/**
 * Returns why an attempt must not be sent, as its `error_message`, or undefined. gaps-1 J "Deliveries waiting when an
 * endpoint is disabled or deleted"
 */
export const voided = (attempt: DueAttempt, endpoint: EndpointNow | undefined): string | undefined => {
  if (endpoint === undefined) return "endpoint_deleted"
  if (attempt.envelope === null) return "payload_unavailable"
  const { health, stopped_at } = endpoint
  // A recovery's test is explicit: it is sent even when people disabled the endpoint, and enables it on success.
  if (attempt.type === webhookTestEvent) {
    return health.disabled_reason === "manual" && !attempt.explicit ? "endpoint_disabled" : undefined
  }
  return health.status === "disabled" || (stopped_at !== null && attempt.created_at < stopped_at)
    ? "endpoint_disabled"
    : undefined
}

/**
 * The queue of one endpoint's attempts. Once ended attempts trip the breaker, no attempt starts, whether or not they
 * are written. A-WHE-24
 */
export class DeliveryQueue extends QueueRows<EndpointNow | undefined, DueAttempt, AttemptOutcome> {
  /** The health after all of `ended`, as far as computed, with the health from which it was computed. */
  private judged: { readonly from: EndpointHealth; readonly to: EndpointHealth; readonly count: number } | undefined
  private readonly delaysOf: (endpoint: EndpointNow) => RetryDelays

  /** `delaysOf` returns the schedule in force. */
  constructor(
    parallel: number,
    delaysOf = ({ environment }: EndpointNow): RetryDelays => defaultRetrySchedules[environment]
  ) {
    super(parallel)
    this.delaysOf = delaysOf
  }

  override drain(count: number): ReadonlyArray<EndedAttempt> {
    this.judged = undefined
    return super.drain(count)
  }

  protected override voids(attempt: DueAttempt, endpoint: EndpointNow | undefined): AttemptOutcome | undefined {
    const reason = voided(attempt, endpoint)
    return reason === undefined ? undefined : neverSent(reason)
  }

  /** A PATCH or a reload may change the effect of the same results: they are then applied to the new health. */
  protected override stops(endpoint: EndpointNow | undefined): boolean {
    if (endpoint === undefined || endpoint.health.status === "disabled") return false
    const from = endpoint.health
    const known = this.judged?.from === from ? this.judged : { from, to: from, count: 0 }
    let to = known.to
    for (let n = known.count; n < this.ended.length; n++) {
      to = judge(this.ended[n] as EndedAttempt, to, this.delaysOf(endpoint), unspent).health ?? to
    }
    this.judged = { from, to, count: this.ended.length }
    return to.status === "disabled"
  }
}

/** The random draw and the id of a possible retry. */
interface RetryDraw {
  /** Uniform in 0..1. */
  readonly draw: number
  readonly nextAttemptId: string
}

const unspent: RetryDraw = { draw: 0, nextAttemptId: "" }

/** Returns the delivery, and the endpoint's health, after one ended attempt. */
const judge = (
  { at, result: outcome, row: attempt, sent: taken, since }: EndedAttempt,
  health: EndpointHealth | undefined,
  delays: RetryDelays,
  retry: RetryDraw
): { readonly delivery: Delivery; readonly health: EndpointHealth | undefined } => {
  const sent = taken && outcome !== nothingToSend
  const endpoint = health === undefined ? "deleted" : sent ? health.status : "disabled"
  const { delivery, fact } = complete(asDelivery(attempt), {
    attempt_id: attempt.id,
    at,
    attempted_at: sent ? since : null,
    outcome,
    endpoint,
    delays,
    ...retry
  })
  if (health === undefined || fact === undefined || !sent) return { delivery, health }
  return {
    delivery,
    health: attempt.type === webhookTestEvent ? recordProbe(health, fact) : recordDelivery(health, fact)
  }
}

/** The result of a batch of ended attempts. Each delivery has its ended attempt and, after it, the retry if any. */
export interface AppliedAttempts {
  readonly deliveries: ReadonlyArray<{ readonly ended: EndedAttempt; readonly attempts: ReadonlyArray<Attempt> }>
  readonly health: EndpointHealth | undefined
  /** True when the breaker tripped in this batch. */
  readonly tripped: boolean
}

/**
 * Applies ended attempts in their order: each changes the health before the next is applied, so that the breaker trips
 * at exactly the failure that reaches its limit, whatever was sent concurrently. A-WHE-24, A-WHE-29, gaps-1 J
 */
export const applyAttempts = (
  batch: ReadonlyArray<EndedAttempt>,
  endpoint: EndpointNow | undefined,
  delays: RetryDelays,
  draw: () => number,
  mintAttempt: (at: number) => string
): AppliedAttempts => {
  let health = endpoint?.health
  let tripped = false
  const applied = batch.map((ended) => {
    const failed = !ended.result.succeeded
    const retry = failed ? { draw: draw(), nextAttemptId: mintAttempt(ended.at) } : unspent
    const { delivery, health: next } = judge(ended, health, delays, retry)
    tripped = tripped || (health !== undefined && next !== undefined && stoppedBy(health, next) === "breaker")
    health = next
    return { ended, delivery }
  })
  return {
    health,
    tripped,
    deliveries: applied.map(({ ended, delivery }) => ({
      ended,
      // A retry of this batch is not in the table yet, where the stop cancels the others.
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
