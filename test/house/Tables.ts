/** Who may name a table in SQL. docs/style.md, architecture, section 10 */
export interface TableUse {
  /** The folder it belongs to: a room or a shared ground of `runtime`, or a package below it. */
  readonly owner: string
  /** Rooms that read it beside its owner, with the reason. */
  readonly readBy?: Readonly<Record<string, string>>
  /** Rooms that write it beside its owner, with the reason; they may read it too. */
  readonly writtenBy?: Readonly<Record<string, string>>
}

const admission =
  "admission reads key, tenancy and idempotency records of a batch in one statement (architecture, section 3)"
const tenancy = "one commit makes an organization, its first project and both environments (A-CONV-02, A-PROJ-06)"
const batchFacts =
  "the facts of a whole batch of sends come in one read, and its commit looks once more (architecture, section 2)"
const batchFeeding =
  "a look at a batch counts what waits at its number, and reads number and template beside it, in one statement"
const listening =
  "a read of the stream numbers, pages and checks what it stands on in one statement (architecture, section 4)"

const counting = "reports count what was written by hour, from the rows themselves (decision 0068)"

const erasing = "stored responses that speak of an erased person go with what they answer (gaps-2 I)"

const erasingIds =
  "an erasure takes every key of the person, and rows of a key that is being erased do not move (decision 0135)"

const clockOf = "an owner lives on the clock of its environment, which is found by the owner's id"

const restored = "after a restore neither an epoch nor a position of events is given a second time (decision 0066)"

const walletOf = "a wallet is opened for the organization whose account it is (gaps-3 A)"

const regionOf = "phones in refused requests are read in the region of the project, for erasure (gaps-2 I)"

const emptying = "a reset empties a sandbox, or brings what stays back to real time (decision 0140)"

/** Every table of `schema/database`, once. The check holds the SQL of the source and the migrations against it. */
export const tables: Readonly<Record<string, TableUse>> = {
  commits: { owner: "owners" },
  emails: { owner: "mail" },
  idempotency_records: { owner: "owners", readBy: { access: admission }, writtenBy: { erasure: erasing } },
  idempotency_subjects: { owner: "owners", readBy: { erasure: erasing } },
  outbox_events: {
    owner: "outbox",
    readBy: {
      activity: counting,
      restore: "the newest event shows whether the database was restored to the instant that is named"
    },
    writtenBy: { webhooks: "listening gives events their position, and the delivery log decides how long they stay" }
  },
  owner_levels: { owner: "owners" },
  restore_holds: { owner: "restore" },
  restores: { owner: "restore" },
  runner_sessions: {
    owner: "owners",
    readBy: {
      cli: "the doctor counts the shards of the runners that live",
      restore: "a restore is accepted only while no node runs"
    }
  },
  vendor_webhook_work: { owner: "vendor-webhooks", readBy: { messages: batchFacts } },
  vendor_webhooks: { owner: "vendor-webhooks" },
  ignored_notices: { owner: "provider-connections" },
  shard_epochs: { owner: "owners", readBy: { webhooks: listening }, writtenBy: { restore: restored } },

  api_keys: { owner: "access", readBy: { webhooks: listening } },
  device_authorizations: { owner: "access" },
  environment_counters: {
    owner: "access",
    writtenBy: {
      sandbox: emptying,
      webhooks: "registering moves the number of endpoints within its limit in the same statement (A-WHE-13)"
    }
  },
  environments: {
    owner: "access",
    readBy: {
      billing: walletOf,
      messages: "what a message used is recorded for its organization and project (gaps-2 B)",
      "phone-numbers": "numbers are counted over all production environments of an organization (gaps-3 E)",
      sandbox: clockOf,
      projects: "a project is shown with the ids of its environments (A-PROJ-05)",
      "request-logs": regionOf
    }
  },
  members: {
    owner: "access",
    readBy: { "phone-orders": "who receives billing alerts has to be a current owner or admin (M-ORD-28)" }
  },
  organizations: {
    owner: "access",
    writtenBy: {
      billing: `the credit block follows the balance in the statement that moves it (gaps-3 D); ${walletOf}`
    }
  },

  activity_borders: { owner: "activity" },
  activity_hours: { owner: "activity" },
  endpoint_activity_hours: { owner: "activity" },
  number_activity_hours: { owner: "activity" },
  audit_log: { owner: "audit" },

  dashboard_sessions: { owner: "dashboard" },
  sign_in_links: { owner: "dashboard" },

  organization_counters: { owner: "projects", writtenBy: { access: tenancy } },
  projects: {
    owner: "projects",
    readBy: {
      billing: "the cap of a project is read with what it has spent, when a payment is accepted (gaps-3 D)",
      "request-logs": regionOf,
      sandbox: "a reset is confirmed with the slug of the project"
    },
    writtenBy: { access: `${tenancy}; ${admission}` }
  },

  feedback_reports: { owner: "feedback" },
  feedback_resolutions: { owner: "feedback" },

  request_log_counts: { owner: "request-logs" },
  request_logs: { owner: "request-logs" },

  outbox_counters: { owner: "webhooks", writtenBy: { restore: restored } },
  webhook_attempts: { owner: "webhooks", readBy: { activity: counting } },
  webhook_endpoints: { owner: "webhooks", readBy: { sandbox: clockOf } },
  webhook_events: { owner: "webhooks" },
  webhook_listen_sessions: { owner: "webhooks" },
  webhook_listen_waits: { owner: "webhooks" },
  webhook_recoveries: { owner: "webhooks" },

  flows: { owner: "flows" },
  groups: { owner: "groups", readBy: { messages: batchFacts } },
  group_eligibility: { owner: "groups" },
  group_participants: { owner: "groups" },
  group_participations: { owner: "groups" },
  media_assets: { owner: "media", writtenBy: { sandbox: emptying } },
  media_handles: { owner: "media" },
  media_jobs: { owner: "media", writtenBy: { sandbox: emptying } },
  media_transcriptions: { owner: "media" },
  media_usage: { owner: "media", writtenBy: { sandbox: emptying } },
  speech_credentials: { owner: "media" },

  audiences: { owner: "batches" },
  batch_progress: { owner: "batches" },
  batch_recipients: { owner: "batches" },
  batch_stages: { owner: "batches" },
  batches: { owner: "batches", readBy: { sandbox: clockOf } },

  consent_events: { owner: "contacts" },
  contact_aliases: {
    owner: "contacts",
    readBy: { batches: "a named contact may have been joined to another (decision 0135)" }
  },
  customer_ids: { owner: "customers", writtenBy: { contacts: erasingIds } },
  customer_joins: { owner: "customers", writtenBy: { contacts: erasingIds } },
  contact_erasures: { owner: "contacts", readBy: { customers: erasingIds } },
  contact_suppressions: { owner: "contacts", readBy: { messages: batchFacts } },
  data_retention_policies: {
    owner: "contacts",
    readBy: { tenancy: "the sweeps of all rooms keep to it, and a sweep imports no room but its own (gaps-2 I)" }
  },
  message_sweeps: { owner: "messages" },
  contacts: {
    owner: "contacts",
    readBy: {
      messages: batchFacts,
      customers: "an id of the platform leads to the key and the phone of its contact in one read (decision 0135)",
      batches: "an audience is a filter over contacts, which a batch walks through as it starts (gaps-2 H)"
    }
  },
  messages: {
    owner: "messages",
    readBy: {
      activity: counting,
      "phone-numbers":
        "a number moves only while none of its messages waits, which the commit that moves it looks at (gaps-2 K)",
      batches: `${batchFeeding}; recipients are shown with their messages, whose commits its progress follows (M-BAT-10)`
    }
  },
  phone_numbers: {
    owner: "phone-numbers",
    writtenBy: { sandbox: emptying },
    readBy: {
      sandbox: clockOf,
      "phone-orders": "where an approved order stands is where its number stands (M-ORD-17, M-ORD-23)",
      messages: batchFacts,
      batches: batchFeeding,
      "provider-connections": "which connection covers a number goes by the number's account (gaps-2 E)"
    }
  },
  portfolios: {
    owner: "phone-numbers",
    readBy: {
      messages: "the owner of a portfolio's allowance reads limit, leases and slots in one statement (decision 0150)"
    }
  },
  number_rosters: { owner: "phone-numbers" },
  numprov_enrollments: { owner: "phone-numbers" },
  phone_number_transfers: {
    owner: "phone-numbers",
    readBy: { messages: "messages that a number left behind go on where they are (gaps-2 K)" }
  },
  billing_recipients: { owner: "phone-orders" },
  business_identities: { owner: "phone-orders" },
  phone_number_orders: { owner: "phone-orders", readBy: { sandbox: clockOf } },
  provider_connections: {
    owner: "provider-connections",
    readBy: {
      sandbox: clockOf,
      messages: "marketing guards read the policy warnings of a sender with the rest of a batch (gaps-2 C)"
    }
  },
  credential_setup_sessions: { owner: "provider-connections" },
  numprov_connections: { owner: "provider-connections" },
  numprov_operations: { owner: "provider-connections" },
  numprov_resources: { owner: "provider-connections" },
  upstream_signup_sessions: { owner: "provider-connections" },
  allowance_slots: { owner: "messages" },
  marketing_attempts: { owner: "messages" },
  marketing_claims: { owner: "messages" },
  marketing_stops: { owner: "messages" },
  number_pacing: {
    owner: "messages",
    readBy: { batches: "a batch whose messages are held waits for the next slot of its number (gaps-2 D)" }
  },
  portfolio_leases: { owner: "messages" },
  service_windows: { owner: "messages" },

  template_syncs: { owner: "templates" },
  template_versions: {
    owner: "templates",
    writtenBy: { sandbox: emptying },
    readBy: { messages: batchFacts, batches: batchFeeding }
  },
  templates: {
    owner: "templates",
    writtenBy: { sandbox: emptying },
    readBy: { messages: batchFacts, batches: batchFeeding }
  },

  sandbox_clock_advances: { owner: "sandbox" },
  sandbox_clocks: { owner: "sandbox", readBy: { access: admission } },
  sandbox_llm_failures: { owner: "sandbox" },

  agentic_authorizations: { owner: "payments" },
  agentic_payments: { owner: "payments" },
  payment_requests: { owner: "payments", readBy: { activity: counting } },

  phone_months: { owner: "phone-months" },

  account_months: { owner: "billing" },
  account_plans: { owner: "billing" },
  auto_topup_failures: { owner: "billing" },
  auto_topups: { owner: "billing" },
  billing_customers: { owner: "billing" },
  billing_payment_methods: { owner: "billing" },
  charges: { owner: "billing" },
  calendar_months: { owner: "billing" },
  credit_topups: { owner: "billing" },
  package_offerings: { owner: "billing" },
  billing_notices: { owner: "billing" },
  ledger_audits: { owner: "billing" },
  ledger_corrections: { owner: "billing" },
  ledger_entries: { owner: "billing", readBy: { sandbox: emptying, activity: counting } },
  plan_offerings: { owner: "billing" },
  project_spending: { owner: "billing", readBy: { access: admission } },
  rate_card_entries: { owner: "billing" },
  rate_cards: { owner: "billing" },
  reservations: { owner: "billing" },
  subscription_invoices: { owner: "billing" },
  subscriptions: { owner: "billing" },
  unpaid_months: { owner: "billing" },
  usage_records: { owner: "billing" },
  wallets: { owner: "billing" }
}
