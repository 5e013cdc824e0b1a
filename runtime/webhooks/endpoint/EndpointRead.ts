import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { formatTimestamp, formatTimestampOrNull } from "@carteiro/schema/conventions/Timestamp.ts"
import type { WebhookEndpoint } from "@carteiro/schema/webhooks/WebhookEndpoint.ts"
import type { EndpointHealth } from "./EndpointHealth.ts"

/** The columns of an endpoint that reads show; instants are epoch milliseconds. A-WHE-01..11 */
export interface EndpointRow {
  readonly id: string
  readonly url: string
  readonly description: string | null
  readonly subscribed_events: ReadonlyArray<string>
  readonly health: EndpointHealth
  readonly created_at: number
  readonly updated_at: number
}

/**
 * Returns the endpoint as every read shows it; it never includes counters or the secret. A-WHE-08, A-WHE-09, A-WHE-12
 */
export const readEndpoint = (row: EndpointRow, environment: EnvironmentKind): WebhookEndpoint => ({
  id: row.id,
  object: "webhook_endpoint",
  url: row.url,
  description: row.description,
  subscribed_events: row.subscribed_events,
  status: row.health.status,
  probation: row.health.probation,
  disabled_reason: row.health.disabled_reason,
  disabled_detail: row.health.disabled_detail,
  last_failure_at: formatTimestampOrNull(row.health.last_failure_at),
  last_success_at: formatTimestampOrNull(row.health.last_success_at),
  environment,
  created_at: formatTimestamp(row.created_at),
  updated_at: formatTimestamp(row.updated_at)
})
