-- Receivers, the delivery log and its attempts. Fan-out writes the log behind the outbox, in the same statement.

create table webhook_endpoints (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  -- The environment's kind, for the retry schedule and for reads.
  environment text not null check (environment in ('sandbox', 'production')),
  url text not null,
  description text,
  subscribed_events text[] not null,
  -- Sealed under the master key; every signature needs the plaintext, so a hash would not do.
  signing_secret bytea not null,
  status text not null default 'active' check (status in ('active', 'disabled')),
  probation boolean not null default false,
  probation_due boolean not null default false,
  failures int4 not null default 0,
  disabled_reason text check (disabled_reason in ('consecutive_failures', 'manual')),
  disabled_detail text,
  last_failure_at timestamptz,
  last_success_at timestamptz,
  -- Grows with every decision on the health columns: results written late never undo what was decided after them.
  revision int8 not null default 0,
  -- Deliveries made before the last stop are void, whether they have been marked yet or not.
  stopped_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (environment_id, id),
  check ((status = 'disabled') = (disabled_reason is not null))
) with (fillfactor = 50);
create unique index webhook_endpoints_id on webhook_endpoints (id);

-- One row an event and endpoint. It holds no status: a row is delivered when an attempt succeeded, else pending while an
-- attempt is, else failed. So a delivery changes one row, its attempt, and this one is never touched again.
create table webhook_events (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  endpoint_id text collate "C" not null,
  event_id text collate "C" not null,
  type text not null,
  source_type text not null,
  source_id text collate "C" not null,
  trace_id text not null,
  created_at timestamptz not null,
  -- Null while the outbox holds the envelope; a probe, which is not in the outbox, has its own from the start.
  payload text,
  -- Erased: nothing is shown, sent or taken over from the outbox any more.
  payload_cleared boolean not null default false,
  -- Extra attempts asked for; two resends of one row cannot both take the same number.
  resends int4 not null default 0,
  primary key (environment_id, id)
);
-- The narrowing column leads, so that no look-up by (environment_id, id) is ever planned over these.
create index webhook_events_endpoint on webhook_events (endpoint_id, environment_id, id);
create index webhook_events_type on webhook_events (type, environment_id, id);
-- For the sweep of payloads; most rows enter it once, after a week.
create index webhook_events_payload on webhook_events (environment_id, id) where payload is not null;

create table webhook_attempts (
  environment_id text collate "C" not null,
  webhook_event_id text collate "C" not null,
  attempt int4 not null,
  id text collate "C" not null,
  endpoint_id text collate "C" not null,
  status text not null check (status in ('pending', 'succeeded', 'failed')),
  -- Made by a resend: no automatic retry follows it.
  explicit boolean not null,
  due_at timestamptz not null,
  status_code int4,
  failure_class text,
  response_body_redacted text,
  error_message text,
  next_retry_at timestamptz,
  created_at timestamptz not null,
  completed_at timestamptz,
  primary key (environment_id, webhook_event_id, attempt)
);
-- The head of each endpoint's queue.
create index webhook_attempts_due on webhook_attempts (endpoint_id, due_at) where status = 'pending';
-- The two selective status filters of the log.
create index webhook_attempts_pending on webhook_attempts (environment_id, webhook_event_id) where status = 'pending';
create index webhook_attempts_failed on webhook_attempts (environment_id, webhook_event_id)
  where status = 'failed' and next_retry_at is null;
