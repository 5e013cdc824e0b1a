import type { ProviderConnection } from "@carteiro/schema/provider-connections/ProviderConnection.ts"
import {
  defaulted,
  defineTable,
  int4,
  int8,
  jsonOf,
  nullable,
  sealed,
  text,
  timestamptz
} from "@carteiro/tables/Table.ts"
import { tenant } from "../../erasure/Standings.ts"
import type { NoticeTimes } from "../account/AccountChange.ts"
import type { AccountCapability } from "./ConnectionChoice.ts"

/** Accounts of tenants at the chat platform, with their sealed credentials. */
export const providerConnectionsTable = defineTable("provider_connections", {
  owner: "provider-connections",
  erasure: tenant,
  key: ["environment_id", "id"],
  columns: {
    environment_id: text,
    id: text,
    environment: text,
    provider: text,
    channel: text,
    status: text,
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
    token_source: nullable(text),
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
    token_refused_at: nullable(timestamptz),
    subscribed_at: nullable(timestamptz),
    subscription_refused_at: nullable(timestamptz),
    notice_times: nullable(jsonOf<NoticeTimes>())
  }
})
