import type { PixDriver } from "@carteiro/provider/payments/PixProvider.ts"
import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { ProviderConnection } from "@carteiro/schema/provider-connections/ProviderConnection.ts"
import {
  defaulted,
  defineTable,
  int4,
  int8,
  jsonOf,
  nullable,
  sealed,
  select,
  text,
  textOf,
  timestamptz
} from "@carteiro/tables/Table.ts"
import { tenant } from "../../erasure/Standings.ts"
import type { AccountCapability } from "./ConnectionChoice.ts"

/** The platform's instant of the newest report about each part of an account, in epoch milliseconds. */
export type NoticeTimes = {
  readonly [P in "ban" | "warning" | "review" | "restrictions" | "capability"]?: number
}

/** Accounts of tenants at the chat platform, with their sealed credentials. */
export const providerConnectionsTable = defineTable("provider_connections", {
  owner: "provider-connections",
  erasure: tenant,
  key: ["environment_id", "id"],
  columns: {
    environment_id: text,
    id: text,
    environment: textOf<EnvironmentKind>(),
    provider: textOf<ProviderConnection["provider"]>(),
    channel: textOf<ProviderConnection["channel"]>(),
    status: textOf<ProviderConnection["status"]>(),
    display_name: text,
    biz_account_id: nullable(text),
    phone_number_id: nullable(text),
    display_phone_number: nullable(text),
    social_business_account_id: nullable(text),
    page_id: nullable(text),
    provider_account_id: nullable(text),
    payment_receiver: nullable(jsonOf<ProviderConnection["payment_receiver"]>()),
    payment_capabilities: nullable(jsonOf<ProviderConnection["payment_capabilities"]>()),
    agentic_capabilities: nullable(jsonOf<ProviderConnection["agentic_capabilities"]>()),
    default_participant_id: nullable(text),
    agent_id: nullable(text),
    agentic_api_base_url: nullable(text),
    /** The wire of an account at a Pix provider; null for the bridge. Decision 0161 */
    driver: nullable(textOf<PixDriver>()),
    suspension_reason: nullable(text),
    last_policy_warning_type: nullable(text),
    last_policy_warning_at: nullable(timestamptz),
    biz_account_send_capabilities: defaulted(jsonOf<ReadonlyArray<AccountCapability>>()),
    biz_account_ban_date: nullable(timestamptz),
    biz_account_ban_state: nullable(text),
    account_review_status: nullable(text),
    restrictions: nullable(jsonOf<ProviderConnection["restrictions"]>()),
    credential: nullable(sealed(text, "token of the tenant")),
    credential_last_four: nullable(text),
    webhook_secret: nullable(sealed(text, "secret of the tenant")),
    token_source: nullable(textOf<NonNullable<ProviderConnection["token_source"]>>()),
    token_expires_at: nullable(timestamptz),
    token_refreshed_at: nullable(timestamptz),
    token_rotated_at: nullable(timestamptz),
    created_at: timestamptz,
    updated_at: timestamptz,
    disconnected_at: nullable(timestamptz),
    connected_at: nullable(timestamptz),
    selected_at: nullable(timestamptz),
    business_id: nullable(text),
    health_due_at: nullable(timestamptz),
    health_attempts: defaulted(int4),
    revision: defaulted(int8),
    /** The instant since which the platform is known to refuse the token. */
    token_refused_at: nullable(timestamptz),
    /** The instant since which the account is known to send its messages here. */
    subscribed_at: nullable(timestamptz),
    /** The instant since which the platform refuses to send the account's messages here. */
    subscription_refused_at: nullable(timestamptz),
    /** When the platform told the newest of each kind; null before the first. */
    notice_times: nullable(jsonOf<NoticeTimes>())
  }
})

/** The columns of a connection that routes show and change, without its secrets. */
export const connectionColumns = select(
  providerConnectionsTable,
  "environment_id",
  "id",
  "environment",
  "provider",
  "channel",
  "status",
  "display_name",
  "biz_account_id",
  "phone_number_id",
  "display_phone_number",
  "social_business_account_id",
  "page_id",
  "provider_account_id",
  "payment_receiver",
  "payment_capabilities",
  "agentic_capabilities",
  "default_participant_id",
  "agent_id",
  "agentic_api_base_url",
  "driver",
  "suspension_reason",
  "last_policy_warning_type",
  "last_policy_warning_at",
  "biz_account_send_capabilities",
  "biz_account_ban_date",
  "biz_account_ban_state",
  "account_review_status",
  "restrictions",
  "credential_last_four",
  "token_source",
  "token_expires_at",
  "token_refreshed_at",
  "token_rotated_at",
  "token_refused_at",
  "subscribed_at",
  "subscription_refused_at",
  "created_at",
  "updated_at",
  "disconnected_at",
  "selected_at"
)

/** The columns of an account at a payment provider, for the payments room. */
export const paymentAccountColumns = select(
  providerConnectionsTable,
  "environment_id",
  "id",
  "environment",
  "provider",
  "channel",
  "status",
  "credential",
  "webhook_secret",
  "default_participant_id",
  "agent_id",
  "agentic_api_base_url",
  "driver"
)

/** The columns of a connection to an account on which the platform reports. */
export const reportedColumns = select(
  providerConnectionsTable,
  "environment_id",
  "id",
  "status",
  "biz_account_send_capabilities",
  "notice_times"
)
