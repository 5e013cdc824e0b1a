import type { OutboundResult } from "@carteiro/outbound/Outbound.ts"
import type { FailureClass } from "@carteiro/schema/webhooks/WebhookEndpoint.ts"
import { redactResponseBody } from "../../telemetry/Redaction.ts"

/** The record of an attempt's call. A-WHV-05..09 */
export interface AttemptOutcome {
  readonly succeeded: boolean
  readonly status_code: number | null
  readonly failure_class: FailureClass | null
  readonly response_body_redacted: string | null
  /** A fixed sentence, null on success. */
  readonly error_message: string | null
}

/**
 * Returns the outcome of one call: any 2xx is success, anything else is not. `secrets` are texts that were sent and may
 * not be stored. gaps-1 K "Success, timeouts, redirects"
 */
export const judge = (result: OutboundResult, secrets: ReadonlyArray<string> = []): AttemptOutcome => {
  const { status_code } = result
  const succeeded = status_code !== null && status_code >= 200 && status_code <= 299
  return {
    succeeded,
    status_code,
    failure_class: succeeded ? null : result.failure_class,
    response_body_redacted: redactResponseBody(result.body, secrets),
    error_message: succeeded ? null : (result.error_message ?? "The receiver answered with another status than 2xx.")
  }
}

/**
 * Returns the end of an attempt that was never sent. gaps-1 J "Deliveries waiting when an endpoint is disabled or
 * deleted"
 */
export const neverSent = (error_message: string): AttemptOutcome => ({
  succeeded: false,
  status_code: null,
  failure_class: null,
  response_body_redacted: null,
  error_message
})

/** The end of an attempt whose event had no content left at its turn; it does not count for the endpoint. */
export const nothingToSend: AttemptOutcome = neverSent("payload_unavailable")
