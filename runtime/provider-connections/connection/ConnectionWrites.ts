import type { ProviderConnection } from "@carteiro/schema/provider-connections/ProviderConnection.ts"
import { json, jsonText } from "@carteiro/tables/StoredJson.ts"
import { defineInsert, defineUpdate, rowOf } from "@carteiro/tables/TableWrite.ts"
import { defineWrite } from "@carteiro/tables/Write.ts"
import type { AccountCapability } from "./ConnectionChoice.ts"

const table = "provider_connections"
const key = { environment_id: "text", id: "text" } as const
const target = rowOf(table, "environment_id", "id")

/**
 * Inserts a connection with everything known about it. When its provider and channel already have a live connection,
 * nothing is written and its key is not returned. gaps-2 L "Token checks"
 */
export const insertConnection = defineInsert({
  table,
  columns: {
    ...key,
    environment: "text",
    provider: "text",
    channel: "text",
    status: "text",
    display_name: "text",
    biz_account_id: "text",
    phone_number_id: "text",
    display_phone_number: "text",
    social_business_account_id: "text",
    page_id: "text",
    provider_account_id: "text",
    business_id: "text",
    payment_receiver: json<ProviderConnection["payment_receiver"]>(),
    payment_capabilities: json<ProviderConnection["payment_capabilities"]>(),
    agentic_capabilities: json<ProviderConnection["agentic_capabilities"]>(),
    default_participant_id: "text",
    agent_id: "text",
    agentic_api_base_url: "text",
    biz_account_send_capabilities: json<ReadonlyArray<AccountCapability>>(),
    account_review_status: "text",
    credential: "bytea",
    credential_last_four: "text",
    webhook_secret: "bytea",
    token_source: "text",
    token_expires_at: "timestamptz",
    subscribed_at: "timestamptz",
    subscription_refused_at: "timestamptz",
    created_at: "timestamptz"
  },
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
export const completeConnection = defineUpdate({
  name: "provider_connections.complete",
  table,
  key,
  set: {
    biz_account_id: "text",
    phone_number_id: "text",
    display_phone_number: "text",
    biz_account_send_capabilities: json<ReadonlyArray<AccountCapability>>(),
    subscribed_at: "timestamptz",
    updated_at: "timestamptz"
  },
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
  returning: "t.id",
  target
})

/** Replaces the token; sends use the new one from their next batch on. */
export const rotateCredential = defineUpdate({
  name: "provider_connections.rotate",
  table,
  key,
  set: {
    credential: "bytea",
    credential_last_four: "text",
    token_expires_at: "timestamptz",
    biz_account_send_capabilities: json<ReadonlyArray<AccountCapability>>(),
    token_rotated_at: "timestamptz"
  },
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
  returning: "t.id",
  target
})

/** Makes a health check of a connection due now, after the platform refused a send because of its token or account. */
export const hastenHealth = defineUpdate({
  name: "provider_connections.hasten_health",
  table,
  key,
  set: { health_due_at: "timestamptz" },
  values: { health_due_at: "least(t.health_due_at, r.health_due_at)" },
  where: "t.status = 'connected' and t.health_due_at is not null",
  returning: "t.id",
  target
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
export const loseConnection = defineUpdate({
  name: "provider_connections.lose",
  table,
  key,
  set: { disconnected_at: "timestamptz", suspension_reason: "text" },
  values: ended,
  beside: { left_at: "timestamptz" },
  where: `t.status in ('connected', 'suspended') and r.left_at >=
    date_trunc('second', coalesce(greatest(t.connected_at, t.token_rotated_at), t.created_at))`,
  target
})

/** Ends a connection and erases its secrets. */
export const disconnectConnection = defineUpdate({
  name: "provider_connections.disconnect",
  table,
  key,
  set: { disconnected_at: "timestamptz" },
  values: ended,
  guard: "t.status <> 'disconnected'",
  returning: "t.id",
  target
})

/** Replaces the credential of a live payments connection; the connection then counts as the latest connected one. */
export const replacePaymentCredential = defineUpdate({
  name: "provider_connections.replace_payment_credential",
  table,
  key,
  set: {
    credential: "bytea",
    credential_last_four: "text",
    webhook_secret: "bytea",
    payment_receiver: json<ProviderConnection["payment_receiver"]>(),
    default_participant_id: "text",
    agent_id: "text",
    agentic_api_base_url: "text",
    token_rotated_at: "timestamptz"
  },
  values: {
    webhook_secret: "coalesce(r.webhook_secret, t.webhook_secret)",
    payment_receiver: "coalesce(r.payment_receiver, t.payment_receiver)",
    default_participant_id: "coalesce(r.default_participant_id, t.default_participant_id)",
    agent_id: "coalesce(r.agent_id, t.agent_id)",
    agentic_api_base_url: "coalesce(r.agentic_api_base_url, t.agentic_api_base_url)",
    updated_at: "r.token_rotated_at",
    connected_at: "r.token_rotated_at",
    revision: "t.revision + 1"
  },
  guard: "t.status in ('connected', 'suspended') and t.channel in ('payments', 'agentic_payments')",
  returning: "t.id",
  target
})
