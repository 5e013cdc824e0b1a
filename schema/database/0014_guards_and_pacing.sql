-- Marketing guards and the pacing of new recipients. What is asked of a recipient leads each index beside the keys.

-- Identical marketing content to one recipient of an environment: one row, whichever number sends it. Pending while its
-- message waits or is being sent, then attempted; a cancelled or local failure takes the row away again.
create table marketing_claims (
  environment_id text collate "C" not null,
  customer_key text collate "C" not null,
  content_hash text collate "C" not null,
  business_id text collate "C" not null,
  message_id text collate "C" not null,
  -- The message whose row this one took over: an attempt that the recipient has answered since.
  replaced_message_id text collate "C",
  attempted_at timestamptz,
  claimed_at timestamptz not null,
  primary key (environment_id, customer_key, content_hash)
);
create index marketing_claims_pending on marketing_claims (customer_key, business_id, environment_id)
  where attempted_at is null;

-- The two latest marketing attempts of a sender to a recipient, and what the upstream said of each.
create table marketing_attempts (
  environment_id text collate "C" not null,
  business_id text collate "C" not null,
  customer_key text collate "C" not null,
  latest_message_id text collate "C" not null,
  latest_at timestamptz not null,
  latest_code int4,
  previous_message_id text collate "C",
  previous_at timestamptz,
  previous_code int4,
  primary key (environment_id, business_id, customer_key)
);

-- Recipients who told the upstream platform to stop marketing of a business account; only it takes that back.
create table marketing_stops (
  environment_id text collate "C" not null,
  -- The upstream's account of the number, or the number's own id where it has none.
  account_id text collate "C" not null,
  customer_key text collate "C" not null,
  stopped_at timestamptz not null,
  primary key (environment_id, account_id, customer_key)
);
create index marketing_stops_recipient on marketing_stops (customer_key, account_id);

-- New recipients of a number within the last 24 hours. `uses` counts the sends under a slot that the upstream did not
-- refuse: with none left the slot is given back.
create table allowance_slots (
  environment_id text collate "C" not null,
  business_id text collate "C" not null,
  customer_key text collate "C" not null,
  expires_at timestamptz not null,
  uses int4 not null,
  primary key (environment_id, business_id, customer_key)
);
create index allowance_slots_live on allowance_slots (business_id, expires_at, environment_id);
create index allowance_slots_age on allowance_slots (expires_at);

-- When a number with held messages looks next whether some may go; null while it holds none.
create table number_pacing (
  environment_id text collate "C" not null,
  business_id text collate "C" not null,
  due_at timestamptz,
  primary key (environment_id, business_id)
);
create index number_pacing_due on number_pacing (business_id, environment_id) where due_at is not null;

alter table messages
  -- What a marketing template is compared by; null for everything else.
  add column marketing_hash text collate "C",
  -- Definite refusals of the upstream that let it be tried again: how many in a row, of which limit, since when.
  add column refusals int4 not null default 0,
  add column refused_by text check (refused_by in ('unreached', 'transient', 'throughput', 'pair')),
  add column refused_since timestamptz;

-- What waits for a slot of its number, in the order it is released in.
create index messages_held on messages (business_id, environment_id, created_at, id)
  where status = 'queued' and status_reason = 'messaging_limit_pacing' and due_at is null;

-- A template that waits without a category holds marketing to its recipient back.
create index messages_unclassified on messages (customer_key, environment_id)
  where type = 'template' and template_category is null and status in ('queued', 'sending');

-- What the upstream tells of a sandbox's numbers is simulated: good quality and a middling tier from the start.
update phone_numbers set quality_rating = 'green', messaging_tier = 'tier_1k', messaging_limit_tier = 'TIER_1K',
    upstream_throughput_tier = '2', upstream_quality_rating = 'GREEN',
    verified_name = coalesce(display_name, 'Sandbox Sender'), upstream_health_synced_at = created_at
  where environment = 'sandbox' and upstream_health_synced_at is null;
