import { formatTimestamp, formatTimestampOrNull } from "@carteiro/schema/conventions/Timestamp.ts"
import type { ProviderConnection } from "@carteiro/schema/provider-connections/ProviderConnection.ts"
import { jsonText, readJson, readJsonOrNull } from "@carteiro/tables/StoredJson.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import { type AccountCapability, shownCapability, worstCapability } from "./ConnectionChoice.ts"
import type { connectionColumns } from "./ConnectionTables.ts"

/** A row of `provider_connections` without its secrets; instants are epoch milliseconds. */
export interface StoredConnection extends SelectedRow<typeof connectionColumns> {
  readonly webhook_secret_configured: boolean
}

/** Returns a new connection of which nothing else is known. */
export const freshConnection = (
  known: Pick<
    StoredConnection,
    "environment_id" | "id" | "environment" | "provider" | "channel" | "status" | "display_name" | "created_at"
  > &
    Partial<StoredConnection>
): StoredConnection => ({
  biz_account_id: null,
  phone_number_id: null,
  display_phone_number: null,
  social_business_account_id: null,
  page_id: null,
  provider_account_id: null,
  payment_receiver: null,
  payment_capabilities: null,
  agentic_capabilities: null,
  default_participant_id: null,
  agent_id: null,
  agentic_api_base_url: null,
  driver: null,
  webhook_secret_configured: false,
  suspension_reason: null,
  last_policy_warning_type: null,
  last_policy_warning_at: null,
  biz_account_send_capabilities: jsonText([]),
  biz_account_ban_date: null,
  biz_account_ban_state: null,
  account_review_status: null,
  restrictions: null,
  credential_last_four: null,
  token_source: null,
  token_expires_at: null,
  token_refreshed_at: null,
  token_rotated_at: null,
  token_refused_at: null,
  subscribed_at: null,
  subscription_refused_at: null,
  updated_at: known.created_at,
  disconnected_at: null,
  selected_at: null,
  ...known
})

/** Returns the accounts of a connection, as last observed. */
export const capabilitiesOf = (
  row: Pick<StoredConnection, "biz_account_send_capabilities">
): ReadonlyArray<AccountCapability> => readJson(row.biz_account_send_capabilities)

/** Returns the connection as every read shows it. M-CONN-01..18 */
export const readConnection = (row: StoredConnection): ProviderConnection => {
  const accounts = capabilitiesOf(row).map(shownCapability)
  return {
    id: row.id,
    object: "provider_connection",
    provider: row.provider,
    channel: row.channel,
    status: row.status,
    display_name: row.display_name,
    environment: row.environment,
    biz_account_id: row.biz_account_id,
    phone_number_id: row.phone_number_id,
    display_phone_number: row.display_phone_number,
    social_business_account_id: row.social_business_account_id,
    page_id: row.page_id,
    provider_account_id: row.provider_account_id,
    payment_receiver: readJsonOrNull(row.payment_receiver),
    payment_capabilities: readJsonOrNull(row.payment_capabilities),
    agentic_capabilities: readJsonOrNull(row.agentic_capabilities),
    default_participant_id: row.default_participant_id,
    agent_id: row.agent_id,
    agentic_api_base_url: row.agentic_api_base_url,
    ...(row.driver === "pix-api" ? { driver: row.driver } : undefined),
    webhook_secret_configured: row.webhook_secret_configured,
    suspension_reason: row.suspension_reason,
    last_policy_warning_type: row.last_policy_warning_type,
    last_policy_warning_at: formatTimestampOrNull(row.last_policy_warning_at),
    ...(worstCapability(accounts) as Pick<
      ProviderConnection,
      "send_capability" | "send_block_codes" | "send_capability_observed_at"
    >),
    biz_account_send_capabilities: accounts as ProviderConnection["biz_account_send_capabilities"],
    biz_account_ban_date: formatTimestampOrNull(row.biz_account_ban_date),
    biz_account_ban_state: row.biz_account_ban_state,
    account_review_status: row.account_review_status,
    restrictions: readJsonOrNull(row.restrictions),
    credential_last_four: row.credential_last_four,
    token_source: row.token_source,
    token_expires_at: formatTimestampOrNull(row.token_expires_at),
    token_refreshed_at: formatTimestampOrNull(row.token_refreshed_at),
    token_rotated_at: formatTimestampOrNull(row.token_rotated_at),
    created_at: formatTimestamp(row.created_at),
    updated_at: formatTimestamp(row.updated_at),
    disconnected_at: formatTimestampOrNull(row.disconnected_at)
  }
}
