/** How a table stands towards the erasure of a customer. gaps-2 I "Erasure" */
type Standing =
  /** Rows tell of the customer before, and none does after. */
  | "erased"
  /** Rows go on telling of the customer, for this reason. */
  | { readonly keeps: string }
  /** No row ever tells of a customer, because of what it holds. */
  | { readonly holds: string }

const fiscal = { keeps: 'a fiscal record: gaps-3 C "Personal data in payments"' } as const
const money = { holds: "amounts and ids of what was used" } as const
const tenant = { holds: "what the tenant is and set up" } as const
const people = { holds: "people of the tenant, never its customers" } as const
const ids = { holds: "ids, instants and counts" } as const

/** Every table, once. A table that is missing here fails the test of erasure: say where it stands, and seed it when it is erased. */
export const standings: Readonly<Record<string, Standing>> = {
  allowance_slots: "erased",
  batch_recipients: "erased",
  consent_events: "erased",
  contact_erasures: "erased",
  contacts: "erased",
  group_participants: "erased",
  group_participations: "erased",
  idempotency_records: "erased",
  marketing_attempts: "erased",
  marketing_claims: "erased",
  media_assets: "erased",
  media_jobs: "erased",
  media_transcriptions: "erased",
  messages: "erased",
  outbox_events: "erased",
  request_logs: "erased",
  service_windows: "erased",
  vendor_webhooks: "erased",
  webhook_attempts: "erased",
  webhook_events: "erased",

  agentic_authorizations: fiscal,
  agentic_payments: fiscal,
  payment_requests: fiscal,
  marketing_stops: { keeps: "a stop at the provider holds until the customer lifts it there: decision 0040" },

  contact_suppressions: { holds: "a keyed hash of who opted out" },
  idempotency_subjects: { holds: "keyed hashes" },

  account_months: money,
  account_plans: money,
  auto_topup_failures: money,
  auto_topups: money,
  calendar_months: money,
  charges: money,
  credit_topups: money,
  ledger_audits: money,
  ledger_corrections: money,
  ledger_entries: money,
  package_offerings: money,
  phone_months: money,
  plan_offerings: money,
  project_spending: money,
  rate_card_entries: money,
  rate_cards: money,
  reservations: money,
  subscription_invoices: money,
  subscriptions: money,
  unpaid_months: money,
  usage_records: money,
  wallets: money,

  api_keys: tenant,
  audiences: tenant,
  batches: tenant,
  business_identities: tenant,
  data_retention_policies: tenant,
  environments: tenant,
  feedback_reports: { holds: "what the tenant tells us of the service" },
  feedback_resolutions: { holds: "what we answered" },
  flows: tenant,
  groups: tenant,
  number_rosters: tenant,
  numprov_connections: tenant,
  numprov_enrollments: tenant,
  numprov_operations: tenant,
  numprov_resources: tenant,
  organizations: tenant,
  phone_number_orders: tenant,
  phone_number_transfers: tenant,
  phone_numbers: tenant,
  projects: tenant,
  provider_connections: tenant,
  speech_credentials: tenant,
  template_versions: tenant,
  templates: tenant,
  webhook_endpoints: tenant,

  billing_customers: people,
  billing_notices: people,
  billing_payment_methods: people,
  billing_recipients: people,
  credential_setup_sessions: people,
  dashboard_sessions: people,
  device_authorizations: people,
  emails: people,
  members: people,
  sign_in_links: people,
  upstream_signup_sessions: people,

  batch_progress: ids,
  batch_stages: ids,
  commits: ids,
  environment_counters: ids,
  group_eligibility: ids,
  media_handles: ids,
  media_usage: ids,
  message_sweeps: ids,
  number_pacing: ids,
  organization_counters: ids,
  outbox_counters: ids,
  owner_levels: ids,
  request_log_counts: ids,
  runner_sessions: ids,
  sandbox_llm_failures: ids,
  schema_migrations: ids,
  shard_epochs: ids,
  template_syncs: ids,
  vendor_webhook_work: ids,
  webhook_listen_sessions: ids,
  webhook_listen_waits: ids
}

/** Columns of bytes that the test cannot read, with what they hold; it opens the other ones, or reads them as they are. */
export const sealedSecrets: Readonly<Record<string, string>> = {
  "agentic_authorizations.customer_tax_id_sealed": "a fiscal record of who pays",
  "api_keys.secret_hash": "hash of a key of the tenant",
  "charges.client_secret": "secret of a payment of the tenant",
  "dashboard_sessions.token_hash": "hash of a token",
  "device_authorizations.device_code_hash": "hash of a code",
  "groups.invite_link": "link of a group",
  "numprov_connections.credential": "key of the tenant",
  "numprov_connections.webhook_secret": "secret of the tenant",
  "numprov_operations.credential": "key of the tenant",
  "numprov_operations.webhook_secret": "secret of the tenant",
  "payment_requests.customer_tax_id_sealed": "a fiscal record of who pays",
  "payment_requests.link_sealed": "link to a page of a payment",
  "payment_requests.page_hash": "hash of a token",
  "provider_connections.credential": "token of the tenant",
  "provider_connections.webhook_secret": "secret of the tenant",
  "sign_in_links.token_hash": "hash of a token",
  "speech_credentials.api_key": "key of the tenant",
  "upstream_signup_sessions.launch_hash": "hash of a token",
  "webhook_endpoints.previous_standard_webhooks_secret": "secret of the tenant",
  "webhook_endpoints.signing_secret": "secret of the tenant",
  "webhook_endpoints.standard_webhooks_secret": "secret of the tenant"
}
