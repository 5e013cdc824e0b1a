import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
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
  select,
  text,
  textArray,
  textOf,
  timestamptz
} from "@carteiro/tables/Table.ts"
import { tenant } from "../../erasure/Standings.ts"

/** Receivers of a tenant's events; instants are epoch milliseconds. */
export const webhookEndpointsTable = defineTable("webhook_endpoints", {
  owner: "webhooks",
  erasure: tenant,
  key: ["environment_id", "id"],
  columns: {
    environment_id: text,
    id: text,
    environment: textOf<EnvironmentKind>(),
    url: text,
    description: nullable(text),
    subscribed_events: textArray,
    signing_secret: sealed(text, "secret of the tenant"),
    status: defaulted(textOf<"active" | "disabled">()),
    probation: defaulted(bool),
    probation_due: defaulted(bool),
    failures: defaulted(int4),
    disabled_reason: nullable(textOf<"consecutive_failures" | "manual">()),
    disabled_detail: nullable(jsonOf<DisabledDetail>()),
    last_failure_at: nullable(timestamptz),
    last_success_at: nullable(timestamptz),
    revision: defaulted(int8),
    /** Deliveries made before this instant are void. */
    stopped_at: nullable(timestamptz),
    created_at: timestamptz,
    updated_at: timestamptz,
    standard_webhooks_secret: nullable(sealed(text, "secret of the tenant")),
    previous_standard_webhooks_secret: nullable(sealed(text, "secret of the tenant")),
    previous_standard_webhooks_secret_until: nullable(timestamptz)
  }
})

/** The columns of an endpoint that its owner and reads use. */
export const endpointColumns = select(
  webhookEndpointsTable,
  "environment_id",
  "id",
  "environment",
  "url",
  "description",
  "subscribed_events",
  "signing_secret",
  "standard_webhooks_secret",
  "previous_standard_webhooks_secret",
  "previous_standard_webhooks_secret_until",
  "status",
  "probation",
  "probation_due",
  "failures",
  "disabled_reason",
  "disabled_detail",
  "last_failure_at",
  "last_success_at",
  "revision",
  "stopped_at",
  "created_at",
  "updated_at"
)
