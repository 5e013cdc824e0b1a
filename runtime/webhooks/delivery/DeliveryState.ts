import { webhookTestEvent } from "@carteiro/schema/webhooks/EventCatalog.ts"
import type { WebhookAttempt, WebhookEventStatus } from "@carteiro/schema/webhooks/WebhookEvent.ts"
import type { HealthFact } from "../endpoint/EndpointHealth.ts"
import type { AttemptOutcome } from "./AttemptOutcome.ts"
import { dueAt, type RetryDelays } from "./RetrySchedule.ts"

/** One attempt; instants are epoch milliseconds. A-WHV-05..10 */
export interface Attempt
  extends Pick<
    WebhookAttempt,
    "id" | "attempt" | "status" | "status_code" | "failure_class" | "response_body_redacted" | "error_message"
  > {
  /** True for an attempt made by a resend, which has no automatic retry. gaps-1 K "Resend" */
  readonly explicit: boolean
  /** When it may be sent; only used while it is pending. */
  readonly due_at: number
  /** True while it is being sent to the receiver. */
  readonly on_wire: boolean
  readonly next_retry_at: number | null
  readonly created_at: number
  /** When it was sent; null until then, and when it never was. */
  readonly attempted_at: number | null
  readonly duration_ms: number | null
}

/** One event for one endpoint. Attempts are oldest first and never empty. gaps-1 K "Status transitions" */
export interface Delivery {
  readonly id: string
  readonly type: string
  readonly status: WebhookEventStatus
  readonly attempts: ReadonlyArray<Attempt>
}

/** The state of the endpoint when an attempt ends. */
export type EndpointState = "active" | "disabled" | "deleted"

/** Returns the status of a row, from its attempts. gaps-1 K "Status transitions" */
export const statusOf = (attempts: ReadonlyArray<Pick<Attempt, "status">>): WebhookEventStatus =>
  attempts.some(({ status }) => status === "succeeded")
    ? "delivered"
    : attempts.some(({ status }) => status === "pending")
      ? "pending"
      : "failed"

/** True for a probe, which has one attempt whatever its result. A-WHT-06 */
export const isProbe = (delivery: Pick<Delivery, "type">): boolean => delivery.type === webhookTestEvent

/** Returns a new pending attempt. */
export const pendingAttempt = (facts: {
  readonly id: string
  readonly attempt: number
  readonly explicit: boolean
  readonly due_at: number
  readonly created_at: number
}): Attempt => ({
  ...facts,
  status: "pending",
  on_wire: false,
  status_code: null,
  failure_class: null,
  response_body_redacted: null,
  error_message: null,
  next_retry_at: null,
  attempted_at: null,
  duration_ms: null
})

/** Returns a new row of fan-out or of a test, with its first attempt. gaps-1 K "Status transitions" */
export const newDelivery = (facts: {
  readonly id: string
  readonly type: string
  readonly attempt_id: string
  readonly at: number
  readonly due_at: number
}): Delivery => ({
  id: facts.id,
  type: facts.type,
  status: "pending",
  attempts: [
    pendingAttempt({ id: facts.attempt_id, attempt: 1, explicit: false, due_at: facts.due_at, created_at: facts.at })
  ]
})

/**
 * A finished attempt with all facts that decide about it. `draw` is uniform in 0..1, `nextAttemptId` is used only for a
 * retry.
 */
export interface CompletedAttempt {
  readonly attempt_id: string
  readonly at: number
  /** When it was sent; null when it never was. */
  readonly attempted_at: number | null
  readonly outcome: AttemptOutcome
  readonly endpoint: EndpointState
  readonly delays: RetryDelays
  readonly draw: number
  readonly nextAttemptId: string
}

/**
 * Returns the row after one ended attempt, and the fact for its endpoint's health. A delivered row stays delivered; a
 * failure is retried while the endpoint is active and its schedule has another attempt; a probe and an explicit resend
 * are never retried. A result of an attempt that has already ended changes nothing. gaps-1 J, K
 */
export const complete = (
  delivery: Delivery,
  completion: CompletedAttempt
): { readonly delivery: Delivery; readonly fact: HealthFact | undefined } => {
  const attempt = delivery.attempts.find((candidate) => candidate.id === completion.attempt_id)
  if (attempt === undefined || attempt.status !== "pending") return { delivery, fact: undefined }
  const { at, attempted_at, outcome } = completion
  const fact = (result: HealthFact["outcome"]): HealthFact => ({
    outcome: result,
    at,
    status_code: outcome.status_code,
    failure_class: outcome.failure_class
  })
  const ended: Attempt = {
    ...attempt,
    status: outcome.succeeded ? "succeeded" : "failed",
    on_wire: false,
    status_code: outcome.status_code,
    failure_class: outcome.failure_class,
    response_body_redacted: outcome.response_body_redacted,
    error_message: outcome.error_message,
    attempted_at,
    duration_ms: attempted_at === null ? null : Math.max(0, at - attempted_at)
  }
  if (outcome.succeeded) return { delivery: withAttempt(delivery, ended, "delivered"), fact: fact("delivered") }
  const status = delivery.status === "delivered" ? "delivered" : "failed"
  if (isProbe(delivery) || attempt.explicit) {
    return { delivery: withAttempt(delivery, ended, status), fact: fact("failed") }
  }
  // A delivery whose endpoint stopped during the attempt was cancelled, not exhausted, and is not counted.
  if (completion.endpoint !== "active") {
    return { delivery: withAttempt(delivery, ended, status), fact: fact("uncounted") }
  }
  const due = dueAt(completion.delays, attempt.attempt + 1, at, completion.draw)
  if (due === undefined) return { delivery: withAttempt(delivery, ended, status), fact: fact("failed") }
  const retried = withAttempt(delivery, { ...ended, next_retry_at: due }, delivery.status)
  const next = pendingAttempt({
    id: completion.nextAttemptId,
    attempt: attempt.attempt + 1,
    explicit: false,
    due_at: due,
    created_at: at
  })
  return { delivery: { ...retried, attempts: [...retried.attempts, next] }, fact: fact("uncounted") }
}

/** The reason for which waiting deliveries end. */
export type Stop = "breaker" | "manual" | "deleted"

/**
 * Returns the `error_message` of attempts that a stop ended. gaps-1 J "Deliveries waiting when an endpoint is disabled
 * or deleted"
 */
export const stopMessage = (stop: Stop): string => (stop === "deleted" ? "endpoint_deleted" : "endpoint_disabled")

/**
 * Returns the row after its endpoint stopped: waiting attempts end as failed; one being sent finishes and keeps its row
 * pending. An endpoint that the breaker disabled still takes probes, so the breaker leaves waiting probes. gaps-1 J
 * "Deliveries waiting when an endpoint is disabled or deleted"
 */
export const cancel = (delivery: Delivery, stop: Stop): Delivery => {
  if (stop === "breaker" && isProbe(delivery)) return delivery
  const error_message = stopMessage(stop)
  const attempts = delivery.attempts.map((attempt) =>
    attempt.status === "pending" && !attempt.on_wire
      ? { ...attempt, status: "failed" as const, error_message }
      : attempt
  )
  const open = attempts.some((attempt) => attempt.status === "pending")
  return { ...delivery, attempts, status: delivery.status === "pending" && !open ? "failed" : delivery.status }
}

const withAttempt = (delivery: Delivery, ended: Attempt, status: WebhookEventStatus): Delivery => ({
  ...delivery,
  status,
  attempts: delivery.attempts.map((attempt) => (attempt.id === ended.id ? ended : attempt))
})
