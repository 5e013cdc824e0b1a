-- Contacts under conditional updates, every choice of a customer, erasure and what an environment keeps.

-- Grows with every change: a decision made on a row that has changed since is made again.
alter table contacts add column revision int8 not null default 0;
create index contacts_status on contacts (opt_in_status, environment_id, id);
create index contacts_source on contacts (source, environment_id, id);

create table consent_events (
  environment_id text collate "C" not null,
  contact_id text collate "C" not null,
  id text collate "C" not null,
  type text not null check (type in ('opted_in', 'opted_out')),
  source text not null,
  reason text,
  occurred_at timestamptz not null,
  primary key (environment_id, contact_id, id)
);

-- Opt-outs of erased contacts: a keyed hash of whom, so that the choice stays in force and nobody is kept.
create table contact_suppressions (
  environment_id text collate "C" not null,
  subject text collate "C" not null,
  source text not null,
  opted_out_at timestamptz not null,
  primary key (environment_id, subject)
);

-- Erasures under way: the row is the last that knows the customer, and goes when nothing else does.
create table contact_erasures (
  environment_id text collate "C" not null,
  -- The contact's.
  id text collate "C" not null,
  customer_type text not null,
  match_key text collate "C" not null,
  erased_at timestamptz not null,
  -- When the next pass over what is left is made.
  due_at timestamptz not null,
  passes int4 not null default 0,
  primary key (environment_id, id)
);
create index contact_erasures_due on contact_erasures (due_at);

-- Without a row an environment has the default policy.
create table data_retention_policies (
  environment_id text collate "C" primary key,
  data_export_enabled boolean not null default true,
  media_retention_days int4 not null default 30 check (media_retention_days between 1 and 365),
  payload_retention_days int4 not null default 90 check (payload_retention_days between 1 and 365),
  updated_at timestamptz not null
);

-- Up to which message of an environment the payload sweep has come.
create table message_sweeps (
  environment_id text collate "C" primary key,
  swept_to text collate "C" not null
);
