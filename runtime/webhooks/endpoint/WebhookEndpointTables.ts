import type { DisabledDetail } from "@carteiro/schema/webhooks/WebhookEndpoint.ts"
import {
  bool,
  defaulted,
  defineTable,
  int4,
  int8,
  jsonOf,
  nullable,
  sealed,
  text,
  textArray,
  timestamptz
} from "@carteiro/tables/Table.ts"
import { tenant } from "../../erasure/Standings.ts"

/** Receivers of a tenant's events. */
export const webhookEndpointsTable = defineTable("webhook_endpoints", {
  owner: "webhooks",
  erasure: tenant,
  key: ["environment_id", "id"],
  columns: {
    environment_id: text,
    id: text,
    environment: text,
    url: text,
    description: nullable(text),
    subscribed_events: textArray,
    signing_secret: sealed(text, "secret of the tenant"),
    status: defaulted(text),
    probation: defaulted(bool),
    probation_due: defaulted(bool),
    failures: defaulted(int4),
    disabled_reason: nullable(text),
    disabled_detail: nullable(jsonOf<DisabledDetail>()),
    last_failure_at: nullable(timestamptz),
    last_success_at: nullable(timestamptz),
    revision: defaulted(int8),
    stopped_at: nullable(timestamptz),
    created_at: timestamptz,
    updated_at: timestamptz,
    standard_webhooks_secret: nullable(sealed(text, "secret of the tenant")),
    previous_standard_webhooks_secret: nullable(sealed(text, "secret of the tenant")),
    previous_standard_webhooks_secret_until: nullable(timestamptz)
  }
})
