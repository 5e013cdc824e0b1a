import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { webhookTestEvent } from "@carteiro/schema/webhooks/EventCatalog.ts"

/** What an event says; instants are epoch milliseconds. A-SIG-01 */
export interface EventFacts {
  /** The outbox event's id: the same for every endpoint, every retry and listen. A-SIG-02, gaps-1 K */
  readonly id: string
  readonly type: string
  /** The fanout time. A-SIG-03 */
  readonly created_at: number
  /** The business-event time, given for payment events. A-SIG-04 */
  readonly occurred_at?: number | undefined
  readonly environment: EnvironmentKind
  readonly trace_id: string
  readonly data: unknown
}

/** The body of every delivery; it names no organization, project or environment id. A-SIG-01, A-SIG-06 */
export interface Envelope {
  readonly id: string
  readonly type: string
  readonly created_at: string
  readonly occurred_at?: string
  readonly environment: EnvironmentKind
  readonly trace_id: string
  readonly data: unknown
}

/** Builds the envelope with its members in the order of the contract. A-SIG-01..06 */
export const envelope = (event: EventFacts): Envelope => ({
  id: event.id,
  type: event.type,
  created_at: formatTimestamp(event.created_at),
  ...(event.occurred_at === undefined ? {} : { occurred_at: formatTimestamp(event.occurred_at) }),
  environment: event.environment,
  trace_id: event.trace_id,
  data: event.data
})

/**
 * The raw body as text, serialized once and stored: its UTF-8 bytes are what every attempt, preview and resend sends.
 * It holds neither a NUL nor an unpaired surrogate, so a text column keeps it whole. gaps-1 K "Raw body and timestamp"
 */
export const rawBody = (event: EventFacts): string => JSON.stringify(envelope(event))

/** What a probe carries. A-WHT-02, gaps-1 K "webhook.test content" */
export const probeEvent = (facts: {
  readonly id: string
  readonly webhook_endpoint_id: string
  readonly created_at: number
  readonly environment: EnvironmentKind
  readonly trace_id: string
}): EventFacts => ({
  id: facts.id,
  type: webhookTestEvent,
  created_at: facts.created_at,
  environment: facts.environment,
  trace_id: facts.trace_id,
  data: { webhook_endpoint_id: facts.webhook_endpoint_id, message: "Test delivery" }
})
