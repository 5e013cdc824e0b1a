// Made by npm run codegen from the declarations of tables.

/** Tables whose rows of the environment a reset deletes, by the column `environment_id`. */
export const emptiedTables = [
  "activity_hours",
  "agentic_authorizations",
  "agentic_payments",
  "allowance_slots",
  "audiences",
  "batch_progress",
  "batch_recipients",
  "batch_stages",
  "batches",
  "consent_events",
  "contact_aliases",
  "contact_erasures",
  "contact_suppressions",
  "contacts",
  "credential_setup_sessions",
  "customer_ids",
  "customer_joins",
  "data_retention_policies",
  "endpoint_activity_hours",
  "flows",
  "group_eligibility",
  "group_participants",
  "group_participations",
  "groups",
  "idempotency_subjects",
  "marketing_attempts",
  "marketing_claims",
  "marketing_stops",
  "media_handles",
  "media_transcriptions",
  "message_sweeps",
  "messages",
  "number_activity_hours",
  "number_pacing",
  "numprov_connections",
  "numprov_enrollments",
  "numprov_operations",
  "numprov_resources",
  "outbox_events",
  "payment_requests",
  "phone_number_orders",
  "phone_number_transfers",
  "provider_connections",
  "request_blocks",
  "request_log_counts",
  "request_logs",
  "sandbox_llm_failures",
  "service_windows",
  "speech_credentials",
  "template_syncs",
  "upstream_signup_sessions",
  "webhook_attempts",
  "webhook_endpoints",
  "webhook_events",
  "webhook_recoveries"
] as const

/** Tables of the sandbox's own simulated account, by the column `account_id`; the wallet comes last, as others name it. */
export const emptiedAccounts = [
  "account_months",
  "account_plans",
  "auto_topup_failures",
  "auto_topups",
  "billing_customers",
  "billing_payment_methods",
  "charges",
  "credit_topups",
  "ledger_corrections",
  "ledger_entries",
  "number_rosters",
  "reservations",
  "subscription_invoices",
  "subscriptions",
  "unpaid_months",
  "wallets"
] as const

/** Tables of which a reset deletes a part, or which it changes: `ResetRepo` has a statement for each. */
export const changedTables = [
  "environment_counters",
  "idempotency_records",
  "media_assets",
  "media_jobs",
  "media_usage",
  "phone_months",
  "phone_numbers",
  "sandbox_clock_advances",
  "template_versions",
  "templates",
  "usage_records"
] as const

/** Tables with rows of a sandbox that a reset leaves, and why. */
export const untouchedTables: Readonly<Record<string, string>> = {
  api_keys: "keys stay",
  audit_log: "what members did belongs to the organization",
  device_authorizations: "they belong to the keys that they made",
  feedback_reports: "what the tenant told the operator",
  feedback_resolutions: "what the operator answered",
  outbox_counters: "a position of the event stream is never given twice",
  sandbox_clocks: "the clock itself",
  webhook_listen_sessions: "a terminal that listens goes on listening; sessions live on real time",
  webhook_listen_waits: "a terminal that listens goes on listening"
}
