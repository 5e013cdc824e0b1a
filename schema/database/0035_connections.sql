-- Connections that are registered, chosen and looked after; sessions in which people hand credentials over; accounts at the
-- number provider.

alter table provider_connections
  add column connected_at timestamptz,
  -- The dashboard chose it among the environment's payments connections.
  add column selected_at timestamptz,
  -- The business portfolio a signup named.
  add column business_id text,
  -- When its account and numbers are looked at next; null while it is not connected.
  add column health_due_at timestamptz,
  add column health_attempts int4 not null default 0,
  -- Moves with every decision, so that one made on an older state is not written.
  add column revision int8 not null default 0;
update provider_connections set connected_at = created_at, health_due_at = created_at
  where status in ('connected', 'suspended') and provider = 'upstream';
update provider_connections set connected_at = created_at where status in ('connected', 'suspended');
-- A vendor's call names a connection by its id alone.
create unique index provider_connections_id on provider_connections (id);
create index provider_connections_health on provider_connections (id, health_due_at) where health_due_at is not null;
-- The last of an environment's payments connections counts. gaps-3 C "Which provider a payment uses"
create index provider_connections_payments on provider_connections (environment_id, channel, connected_at, id)
  where status = 'connected' and channel in ('payments', 'agentic_payments');

-- Somebody who may hands a credential over in the browser. gaps-2 L "Setup session routes"
create table credential_setup_sessions (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  organization_id text collate "C" not null,
  project_id text collate "C" not null,
  environment text not null check (environment in ('sandbox', 'production')),
  target text not null,
  status text not null check (status in ('pending', 'completed', 'denied')),
  provider_connection_id text collate "C",
  completed_stt_provider text,
  completed_by_role text,
  completed_at timestamptz,
  denied_at timestamptz,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (environment_id, id)
);
create unique index credential_setup_sessions_id on credential_setup_sessions (id);
create index credential_setup_sessions_created on credential_setup_sessions (created_at);

-- A customer of the tenant connects an account of the chat platform. gaps-2 L "Signup sessions and onboarding"
create table upstream_signup_sessions (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  organization_id text collate "C" not null,
  project_id text collate "C" not null,
  environment text not null check (environment in ('sandbox', 'production')),
  -- Who made it: once that key is revoked or expired, the launch is worth nothing.
  api_key_id text collate "C" not null,
  status text not null check (status in ('pending', 'processing', 'completed')),
  -- SHA-256 of the launch token.
  launch_hash bytea not null,
  return_url text not null,
  end_customer_ref text,
  -- One completion at a time; after a minute without an outcome another may begin.
  processing_since timestamptz,
  provider_connection_id text collate "C",
  completed_at timestamptz,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (environment_id, id)
);
create unique index upstream_signup_sessions_id on upstream_signup_sessions (id);
create index upstream_signup_sessions_created on upstream_signup_sessions (created_at);

-- A tenant's own account at the number provider. gaps-2 L "Number-provider connections"
create table numprov_connections (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  environment text not null check (environment in ('sandbox', 'production')),
  status text not null check (status in ('pending', 'connected', 'failed', 'disconnected')),
  display_name text not null,
  account_id text collate "C" not null,
  -- Sealed under a key derived from the master key and bound to the row.
  credential bytea,
  credential_last_four text,
  webhook_secret bytea,
  error_code text,
  connected_at timestamptz,
  last_discovered_at timestamptz,
  token_rotated_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  disconnected_at timestamptz,
  primary key (environment_id, id)
);
create unique index numprov_connections_id on numprov_connections (id);
-- A second live one is refused. M-IMP-17
create unique index numprov_connections_live on numprov_connections (environment_id)
  where status in ('pending', 'connected');

-- What is asked of the number provider for such an account, and what came of it.
create table numprov_operations (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  numprov_connection_id text collate "C" not null,
  kind text not null check (kind in ('register', 'rotate', 'discovery')),
  status text not null check (status in ('pending', 'succeeded', 'failed')),
  -- The credential that a rotation proves before it takes the place of the present one.
  credential bytea,
  credential_last_four text,
  webhook_secret bytea,
  error_code text,
  attempts int4 not null default 0,
  -- Null once it ended.
  due_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  completed_at timestamptz,
  primary key (environment_id, id)
);
create index numprov_operations_due on numprov_operations (numprov_connection_id, due_at, id) where due_at is not null;
create index numprov_operations_created on numprov_operations (created_at);

-- Numbers of such an account as they were last listed.
create table numprov_resources (
  environment_id text collate "C" not null,
  numprov_connection_id text collate "C" not null,
  provider_number_id text collate "C" not null,
  phone text not null,
  status text not null check (status in ('active', 'suspended', 'released')),
  sms boolean not null,
  first_seen_at timestamptz not null,
  observed_at timestamptz not null,
  primary key (environment_id, numprov_connection_id, provider_number_id)
);
