-- The lives of phone numbers: who moves them next, where they were before, what an imported one is managed under.

alter table phone_numbers
  -- What its month costs, in 1/10,000 BRL; null for a number that nobody rents here.
  add column monthly_fee int8 check (monthly_fee >= 0),
  -- Shown for ten minutes after it came.
  add column verification_code text,
  add column verification_code_received_at timestamptz,
  -- When its owner looks at its state next; null when time alone changes nothing.
  add column due_at timestamptz,
  -- When it left another environment last; null for one that never did.
  add column moved_at timestamptz;

create index phone_numbers_due on phone_numbers (id) where due_at is not null;

-- A phone, and a number of the chat platform, is somebody's number once, wherever that is. gaps-2 K "Connect rules"
drop index phone_numbers_fictitious;
create unique index phone_numbers_live_phone on phone_numbers (phone)
  where phone is not null and status not in ('failed', 'released', 'disconnected');
create unique index phone_numbers_live_upstream on phone_numbers (upstream_phone_number_id)
  where upstream_phone_number_id is not null and status not in ('failed', 'released', 'disconnected');

-- Numbers that went from one environment to another: messages of before stay where they were.
create table phone_number_transfers (
  environment_id text collate "C" not null,
  phone_number_id text collate "C" not null,
  transferred_at timestamptz not null,
  target_environment_id text collate "C" not null,
  reason text,
  -- The key that asked for it.
  api_key_id text collate "C",
  primary key (phone_number_id, environment_id, transferred_at)
);

-- Numbers of a customer's own account at the number provider that are managed here.
create table numprov_enrollments (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  phone_number_id text collate "C" not null,
  status text not null check (status in ('active', 'suspended', 'ended')),
  provider_connection_id text collate "C" not null,
  -- The number at the provider, so that one is imported once.
  provider_number_id text collate "C" not null,
  terms_version text not null,
  enrolled_at timestamptz not null,
  ended_at timestamptz,
  primary key (environment_id, id),
  check ((status = 'ended') = (ended_at is not null))
);
create unique index numprov_enrollments_number on numprov_enrollments (phone_number_id);
create unique index numprov_enrollments_live on numprov_enrollments (provider_connection_id, provider_number_id)
  where status <> 'ended';

-- Whoever adds a number to an account within the limit of its plan counts them under a version: of two at once one counts
-- again.
create table number_rosters (
  account_id text collate "C" primary key,
  version int8 not null default 0
);
