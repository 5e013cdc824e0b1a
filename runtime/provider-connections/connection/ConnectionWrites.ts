import { jsonText } from "@carteiro/tables/StoredJson.ts"
import { insertInto, updateOf } from "@carteiro/tables/TableWrite.ts"
import { defineWrite } from "@carteiro/tables/Write.ts"
import type { AccountCapability } from "./ConnectionChoice.ts"
import { providerConnectionsTable } from "./ConnectionTables.ts"

const table = "provider_connections"
const key = { environment_id: "text", id: "text" } as const

/**
 * Inserts a connection with everything known about it. When its provider and channel already have a live connection,
 * nothing is written and its key is not returned. gaps-2 L "Token checks"
 */
export const insertConnection = insertInto(providerConnectionsTable, {
  columns: [
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
    "business_id",
    "payment_receiver",
    "payment_capabilities",
    "agentic_capabilities",
    "default_participant_id",
    "agent_id",
    "agentic_api_base_url",
    "driver",
    "biz_account_send_capabilities",
    "account_review_status",
    "credential",
    "credential_last_four",
    "webhook_secret",
    "token_source",
    "token_expires_at",
    "subscribed_at",
    "subscription_refused_at",
    "created_at"
  ],
  values: {
    updated_at: "r.created_at",
    connected_at: "case when r.status = 'connected' then r.created_at end",
    token_refreshed_at: "case when r.provider = 'upstream' then r.created_at end",
    health_due_at: `case when r.status = 'connected' and r.provider = 'upstream' and r.environment = 'production'
      then r.created_at end`
  },
  conflict: "ignore",
  claims: "id",
  returning: "id"
})

/** The members of a new connection that are null in most connections. */
export const nothingKnown = {
  biz_account_id: null,
  phone_number_id: null,
  display_phone_number: null,
  social_business_account_id: null,
  page_id: null,
  provider_account_id: null,
  business_id: null,
  payment_receiver: null,
  payment_capabilities: null,
  agentic_capabilities: null,
  default_participant_id: null,
  agent_id: null,
  agentic_api_base_url: null,
  driver: null,
  biz_account_send_capabilities: jsonText<ReadonlyArray<AccountCapability>>([]),
  account_review_status: null,
  webhook_secret: null,
  token_expires_at: null,
  subscribed_at: null,
  subscription_refused_at: null
} as const

const bump = { revision: "t.revision + 1" } as const

/**
 * Completes a pending connection whose account is proven; writes nothing when another live connection exists. M-CONN-20
 */
export const completeConnection = updateOf(providerConnectionsTable, {
  name: "provider_connections.complete",
  set: [
    "biz_account_id",
    "phone_number_id",
    "display_phone_number",
    "biz_account_send_capabilities",
    "subscribed_at",
    "updated_at"
  ],
  values: {
    ...bump,
    status: "'connected'",
    subscription_refused_at: "null",
    connected_at: "r.updated_at",
    token_refreshed_at: "r.updated_at",
    health_due_at: "case when t.environment = 'production' then r.updated_at end",
    health_attempts: "0"
  },
  guard: `t.status = 'pending' and not exists (select 1 from provider_connections o
    where o.environment_id = t.environment_id and o.provider = t.provider and o.channel = t.channel
      and o.status in ('connected', 'suspended'))`,
  returning: "t.id"
})

/** Replaces the token; sends use the new one from their next batch on. */
export const rotateCredential = updateOf(providerConnectionsTable, {
  name: "provider_connections.rotate",
  set: ["credential", "credential_last_four", "token_expires_at", "biz_account_send_capabilities", "token_rotated_at"],
  values: {
    ...bump,
    status: "'connected'",
    suspension_reason: "null",
    connected_at: "coalesce(t.connected_at, r.token_rotated_at)",
    token_refreshed_at: "r.token_rotated_at",
    updated_at: "r.token_rotated_at",
    health_due_at: "case when t.environment = 'production' then r.token_rotated_at end",
    health_attempts: "0",
    token_refused_at: "null"
  },
  guard: "t.status in ('connected', 'suspended') and t.provider = 'upstream'",
  returning: "t.id"
})

/** Makes a health check of a connection due now, after the platform refused a send because of its token or account. */
export const hastenHealth = updateOf(providerConnectionsTable, {
  name: "provider_connections.hasten_health",
  set: ["health_due_at"],
  values: { health_due_at: "least(t.health_due_at, r.health_due_at)" },
  where: "t.status = 'connected' and t.health_due_at is not null",
  returning: "t.id"
})

/** Selects one payments connection of an environment, as the dashboard asks; deselects the others. */
export const selectPayments = defineWrite({
  name: "provider_connections.select_payments",
  columns: { ...key, selected_at: "timestamptz" },
  target: ({ environment_id }) => `${table}/${environment_id}/payments`,
  sql: (source) => `update provider_connections t
    set selected_at = case when t.id = r.id then r.selected_at end, updated_at = r.selected_at
    from ${source} r where t.environment_id = r.environment_id and t.channel = 'payments'
      and (t.selected_at is not null or (t.id = r.id and t.status = 'connected'))`
})

const ended = {
  ...bump,
  status: "'disconnected'",
  credential: "null",
  webhook_secret: "null",
  selected_at: "null",
  health_due_at: "null",
  updated_at: "r.disconnected_at"
}

/**
 * Ends a connection whose account left, with the reason, and erases its secrets. A departure from before the connection
 * got its token, by the platform's whole seconds, is of an earlier consent and changes nothing. U-ACC-01
 */
export const loseConnection = updateOf(providerConnectionsTable, {
  name: "provider_connections.lose",
  set: ["disconnected_at", "suspension_reason"],
  values: ended,
  beside: { left_at: "timestamptz" },
  where: `t.status in ('connected', 'suspended') and r.left_at >=
    date_trunc('second', coalesce(greatest(t.connected_at, t.token_rotated_at), t.created_at))`
})

/** Ends a connection and erases its secrets. */
export const disconnectConnection = updateOf(providerConnectionsTable, {
  name: "provider_connections.disconnect",
  set: ["disconnected_at"],
  values: ended,
  guard: "t.status <> 'disconnected'",
  returning: "t.id"
})

/** Replaces the credential of a live payments connection; the connection then counts as the latest connected one. */
export const replacePaymentCredential = updateOf(providerConnectionsTable, {
  name: "provider_connections.replace_payment_credential",
  set: [
    "credential",
    "credential_last_four",
    "webhook_secret",
    "payment_receiver",
    "default_participant_id",
    "agent_id",
    "agentic_api_base_url",
    "driver",
    "token_rotated_at"
  ],
  values: {
    webhook_secret: "coalesce(r.webhook_secret, t.webhook_secret)",
    payment_receiver: "coalesce(r.payment_receiver, t.payment_receiver)",
    default_participant_id: "coalesce(r.default_participant_id, t.default_participant_id)",
    agent_id: "coalesce(r.agent_id, t.agent_id)",
    agentic_api_base_url: "coalesce(r.agentic_api_base_url, t.agentic_api_base_url)",
    driver: "coalesce(r.driver, t.driver)",
    updated_at: "r.token_rotated_at",
    connected_at: "r.token_rotated_at",
    revision: "t.revision + 1"
  },
  guard: "t.status in ('connected', 'suspended') and t.channel in ('payments', 'agentic_payments')",
  returning: "t.id"
})
