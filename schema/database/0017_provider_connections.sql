-- Connections to providers, what providers tell us, and what production messages used.

create table provider_connections (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  environment text not null check (environment in ('sandbox', 'production')),
  provider text not null check (provider in ('upstream', 'pixprov1', 'pixprov2')),
  channel text not null check (channel in ('chatapp', 'socialapp', 'payments', 'agentic_payments')),
  status text not null check (status in ('pending', 'connected', 'suspended', 'disconnected')),
  display_name text not null,
  biz_account_id text collate "C",
  phone_number_id text collate "C",
  display_phone_number text,
  social_business_account_id text,
  page_id text,
  provider_account_id text,
  -- JSON as it is shown.
  payment_receiver text,
  payment_capabilities text,
  agentic_capabilities text,
  default_participant_id text,
  agent_id text,
  agentic_api_base_url text,
  suspension_reason text,
  last_policy_warning_type text,
  last_policy_warning_at timestamptz,
  -- JSON array of what was last observed of each business account the credential reaches: account, capability, block
  -- codes, instant.
  biz_account_send_capabilities text not null default '[]',
  biz_account_ban_date timestamptz,
  biz_account_ban_state text,
  account_review_status text,
  restrictions text,
  -- Sealed under a key derived from the master key and bound to the row; null once disconnected.
  credential bytea,
  credential_last_four text,
  webhook_secret bytea,
  token_source text check (token_source in ('manual', 'embedded_signup')),
  token_expires_at timestamptz,
  token_refreshed_at timestamptz,
  token_rotated_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  disconnected_at timestamptz,
  primary key (environment_id, id)
);
-- One live account a channel. gaps-2 L "Token checks"
create unique index provider_connections_live on provider_connections (environment_id, provider, channel)
  where status in ('connected', 'suspended');
-- What a provider says of an account concerns every connection to it.
create index provider_connections_account on provider_connections (biz_account_id, environment_id, id)
  where biz_account_id is not null;

-- A provider names a number by its own id.
create index phone_numbers_upstream on phone_numbers (upstream_phone_number_id, environment_id, id)
  where upstream_phone_number_id is not null;

-- A status names a message by the provider's id of it. Sandbox messages need no such look-up and pay for none.
create index messages_provider_id on messages (provider_message_id, environment_id, id)
  where provider = 'upstream' and provider_message_id is not null;

-- Calls of providers as they came, each in a commit of its own before it was answered, and whose work they are.
create table vendor_webhooks (
  id text collate "C" primary key,
  vendor text not null,
  -- What makes a repeated call the same call, for vendors that name theirs.
  unique_key text collate "C",
  body bytea not null,
  received_at timestamptz not null
);
create unique index vendor_webhooks_unique on vendor_webhooks (vendor, unique_key) where unique_key is not null;
create index vendor_webhooks_received on vendor_webhooks (received_at);

create table vendor_webhook_work (
  owner_type text collate "C" not null,
  owner_id text collate "C" not null,
  webhook_id text collate "C" not null,
  -- How often it was looked at and could not be finished.
  attempts int4 not null default 0,
  -- Null once nobody tries any more.
  due_at timestamptz,
  primary key (owner_type, owner_id, webhook_id)
);
create index vendor_webhook_work_due on vendor_webhook_work (owner_type, owner_id, due_at, webhook_id)
  where due_at is not null;

-- What was used and is to be paid for, appended by whoever's commit used it and posted by billing alone.
create table usage_records (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  project_id text collate "C" not null,
  environment_id text collate "C" not null,
  meter_id text not null,
  source_type text not null,
  source_id text collate "C" not null,
  phone_number_id text collate "C",
  quantity int8 not null default 1,
  occurred_at timestamptz not null,
  posted_at timestamptz,
  primary key (organization_id, id)
);
-- One thing is used once of a meter.
create unique index usage_records_source on usage_records (source_id, meter_id);
create index usage_records_unposted on usage_records (organization_id, occurred_at, id) where posted_at is null;
