import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { id } from "@carteiro/schema/conventions/Ids.ts"
import {
  PhoneServiceSuspended,
  WebhookEndpointDisabled,
  WebhookEndpointNotFound,
  WebhookEventNotFound,
  WebhookEventPayloadUnavailable,
  WebhookTestNotResendable
} from "@carteiro/schema/webhooks/WebhookErrors.ts"
import { Schema } from "effect"
import { type Attempt, type Delivery, type EndpointState, isProbe, pendingAttempt } from "../delivery/DeliveryState.ts"

/** The facts that decide a resend. */
export interface ResendFacts {
  readonly delivery: Delivery
  readonly endpoint: EndpointState
  readonly payloadAvailable: boolean
  readonly phoneServiceSuspended: boolean
}

/** Returns the refusal of one resend, in the order of the contract, or `undefined`. gaps-1 K "Resend" */
export const resendRefusal = (facts: ResendFacts | undefined): ApiError | undefined => {
  if (facts === undefined) return new WebhookEventNotFound()
  if (facts.endpoint === "deleted") return new WebhookEndpointNotFound()
  if (isProbe(facts.delivery)) return new WebhookTestNotResendable()
  if (facts.endpoint === "disabled") return new WebhookEndpointDisabled()
  if (!facts.payloadAvailable) return new WebhookEventPayloadUnavailable()
  if (facts.phoneServiceSuspended) return new PhoneServiceSuspended()
  return undefined
}

/**
 * Returns the row after an accepted resend, and the attempt of the response. A pending row's scheduled attempt becomes
 * due now; any other row gets one extra attempt with the next number, and a failed one is pending until the result.
 * gaps-1 K "Resend"
 */
export const resend = (
  delivery: Delivery,
  facts: { readonly at: number; readonly attemptId: string }
): { readonly delivery: Delivery; readonly attempt: Attempt } => {
  const scheduled = delivery.attempts.find((attempt) => attempt.status === "pending")
  if (delivery.status === "pending" && scheduled !== undefined) {
    const due: Attempt = { ...scheduled, due_at: Math.min(scheduled.due_at, facts.at) }
    const attempts = delivery.attempts.map((attempt) => (attempt.id === due.id ? due : attempt))
    return { delivery: { ...delivery, attempts }, attempt: due }
  }
  const attempt = pendingAttempt({
    id: facts.attemptId,
    attempt: delivery.attempts.reduce((last, each) => Math.max(last, each.attempt), 0) + 1,
    explicit: true,
    due_at: facts.at,
    created_at: facts.at
  })
  const status = delivery.status === "delivered" ? "delivered" : "pending"
  return { delivery: { ...delivery, status, attempts: [...delivery.attempts, attempt] }, attempt }
}

/** The most rows of a bulk resend when `limit` is absent. gaps-1 K "Bulk resend" */
export const bulkLimit = 100

const isWebhookEventId = Schema.is(id("whe"))

/** Returns the ids with the form of a row's id; the others are skipped without a read. gaps-1 A, K */
export const plausibleIds = (ids: ReadonlyArray<string>): ReadonlyArray<string> => ids.filter(isWebhookEventId)

/**
 * Returns which of the selected rows (newest first, all filters applied) are sent again. `requested` is the number of
 * given ids, else of selected rows, and always `enqueue` plus `skipped`. A-WHV-19, A-WHV-21, gaps-1 K "Bulk resend"
 */
export const planBulkResend = (
  request: { readonly ids?: ReadonlyArray<string> | undefined; readonly limit?: number | undefined },
  selected: ReadonlyArray<ResendFacts>
): { readonly requested: number; readonly skipped: number; readonly enqueue: ReadonlyArray<ResendFacts> } => {
  const within = selected.slice(0, request.limit ?? bulkLimit)
  const enqueue = within.filter((facts) => resendRefusal(facts) === undefined)
  const requested = request.ids?.length ?? within.length
  return { requested, skipped: requested - enqueue.length, enqueue }
}
