-- Messaging: sending numbers, service windows, consent and messages. JSON kept for callers is text: jsonb would refuse
-- the NUL escapes and reorder the members callers sent.

-- Fictitious numbers of sandbox environments lie behind an area code that no numbering plan assigns: nobody owns one.
create sequence fictitious_phones as int8;

create table phone_numbers (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  environment text not null check (environment in ('sandbox', 'production')),
  source text not null check (source in ('numprov', 'byon')),
  status text not null check (status in ('requested', 'provisioning', 'provisioned', 'verifying', 'active', 'failed',
    'release_requested', 'released', 'disconnected')),
  display_name text,
  ddd text,
  -- E.164 with the leading plus.
  phone text,
  provider_number_id text,
  upstream_phone_number_id text,
  biz_account_id text,
  quality_rating text not null default 'unknown' check (quality_rating in ('green', 'yellow', 'red', 'unknown')),
  messaging_tier text not null default 'unknown',
  messaging_limit_tier text,
  upstream_throughput_tier text check (upstream_throughput_tier in ('1', '2', '3', '4', 'unlimited')),
  upstream_quality_rating text,
  -- What the organization's plan allows, kept here by whoever changes the plan.
  throughput_plan text not null default 'starter' check (throughput_plan in ('starter', 'growth', 'scale')),
  verified_name text,
  pending_name_review text,
  name_review text,
  upstream_health_synced_at timestamptz,
  -- Its management is suspended: sends are refused (M-ERR-05).
  suspended_at timestamptz,
  error_code text,
  error_message text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  activated_at timestamptz,
  released_at timestamptz,
  primary key (environment_id, id)
);
-- Its owner knows a number by its id alone.
create unique index phone_numbers_id on phone_numbers (id);
create unique index phone_numbers_fictitious on phone_numbers (phone) where environment = 'sandbox';

-- The latest inbound message of each conversation. gaps-2 B "Service window definition"
create table service_windows (
  environment_id text collate "C" not null,
  channel text not null,
  business_id text collate "C" not null,
  customer_key text collate "C" not null,
  latest_inbound_at timestamptz not null,
  primary key (environment_id, channel, business_id, customer_key)
);

-- Customers and their consent. Only phones are shown as contacts; senders of the other channels are kept for consent.
create table contacts (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  customer_type text not null check (customer_type in ('phone_e164', 'social_user', 'chatapp_channel')),
  match_key text collate "C" not null,
  -- As first written: `+digits`, or the opaque id of another channel.
  phone text not null,
  profile_name text,
  opt_in_status text not null check (opt_in_status in ('opted_in', 'opted_out', 'none')),
  source text not null,
  metadata text,
  opted_in_at timestamptz,
  opted_out_at timestamptz,
  last_inbound_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (environment_id, id)
);
create unique index contacts_match on contacts (match_key, environment_id, customer_type);

create table messages (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  channel text not null,
  direction text not null check (direction in ('inbound', 'outbound')),
  type text not null,
  status text not null,
  status_reason text,
  -- The two sides by role, so that a conversation is one key for both ways.
  business_id text collate "C" not null,
  business_phone text,
  customer_id text not null,
  customer_key text collate "C" not null,
  customer_name text,
  provider text,
  provider_message_id text collate "C",
  template_name text,
  template_id text collate "C",
  template_version_id text collate "C",
  template_version int4,
  batch_id text collate "C",
  content text,
  context text,
  -- Outbound: the provider's answer. Inbound: the provider's raw message.
  provider_payload text,
  metadata text,
  error_code text,
  error_message text,
  provider_error text,
  -- Null until the first step after acceptance or capture: that first entry follows from the row.
  events text,
  trace_id text not null,
  -- The course a sandbox message takes; null for the ordinary one.
  scenario text,
  -- When its owner looks at it next; null when nothing is left to do.
  due_at timestamptz,
  sending_since timestamptz,
  released_at timestamptz,
  delivery_unconfirmed_at timestamptz,
  redacted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (environment_id, id)
);
-- The narrowing column leads in every index beside the primary key: two indexes that begin alike look alike to the planner
-- while a table is small, and a look-up by id planned then would walk the environment later.
create index messages_conversation on messages (customer_key, environment_id, id);
create index messages_batch on messages (batch_id, environment_id, id) where batch_id is not null;
-- What waits for a token of its number, and apart from it what time alone moves: a long queue delays no status.
create index messages_queue on messages (business_id, environment_id, due_at, id)
  where due_at is not null and status = 'queued' and status_reason is null;
create index messages_steps on messages (business_id, environment_id, due_at, id)
  where due_at is not null and (status <> 'queued' or status_reason is not null);
