-- Payments that agents make by authorizations of bank customers. Amounts in 1/10,000 BRL. gaps-3 C, D

create table agentic_authorizations (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  status text not null check (status in ('pending', 'authorized', 'rejected', 'revoked', 'expired')),
  bank_id text not null,
  customer_name text not null,
  customer_tax_id text not null,
  max_amount int8 not null check (max_amount > 0),
  return_url text,
  external_reference text,
  -- JSON as it was sent.
  metadata text,
  -- Null in the sandbox, which reaches no provider.
  provider_connection_id text collate "C",
  provider_authorization_id text collate "C",
  authorization_url text,
  trace_id text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  authorized_at timestamptz,
  rejected_at timestamptz,
  revoked_at timestamptz,
  expires_at timestamptz not null,
  -- What is to be done at the provider, and when; null when nothing is.
  step text check (step in ('create', 'find', 'read', 'revoke')),
  due_at timestamptz,
  -- When it went to the provider first, and since when nothing new was heard of it.
  called_at timestamptz,
  doubt_at timestamptz,
  primary key (environment_id, id),
  check ((step is null) = (due_at is null))
);
create index agentic_authorizations_status on agentic_authorizations (environment_id, status, id);
create index agentic_authorizations_due on agentic_authorizations (environment_id, due_at, id) where due_at is not null;
-- Providers know it by our id alone.
create unique index agentic_authorizations_id on agentic_authorizations (id);

create table agentic_payments (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  -- Whose wallet holds its fees: `org_…` in production, `env_…` in a sandbox.
  account_id text collate "C" not null,
  status text not null check (status in ('processing', 'paid', 'failed')),
  authorization_id text collate "C" not null,
  amount int8 not null check (amount > 0),
  description text,
  external_reference text,
  -- JSON as it was sent; a sandbox reads its scenario from it.
  metadata text,
  provider_connection_id text collate "C",
  -- The provider's id of the authorization, as it was accepted.
  provider_authorization_id text collate "C",
  provider_payment_id text collate "C",
  error_code text,
  error_message text,
  trace_id text not null,
  rate_card_id text collate "C" not null,
  initiation_amount int8 not null check (initiation_amount >= 0),
  initiation_reservation_id text collate "C" not null,
  -- In ten-thousandths.
  completion_rate int8 not null check (completion_rate between 0 and 10000),
  completion_amount int8 not null check (completion_amount >= 0),
  completion_reservation_id text collate "C" not null,
  completion_state text not null check (completion_state in ('held', 'settled', 'released')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  paid_at timestamptz,
  failed_at timestamptz,
  step text check (step in ('create', 'find', 'read')),
  due_at timestamptz,
  called_at timestamptz,
  doubt_at timestamptz,
  -- When a look-up by our id first found nothing at the provider.
  absent_at timestamptz,
  primary key (environment_id, id),
  check ((step is null) = (due_at is null)),
  check (completion_state <> 'settled' or status = 'paid')
);
create index agentic_payments_due on agentic_payments (environment_id, due_at, id) where due_at is not null;
create unique index agentic_payments_id on agentic_payments (id);
