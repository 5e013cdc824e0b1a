-- Spans whose missed events are delivered to an endpoint after an outage; a worker carries each on in steps.
create table webhook_recoveries (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  endpoint_id text collate "C" not null,
  status text not null check (status in ('running', 'completed', 'stopped')),
  -- Ids of outbox events: the last one looked at, and the one before which the span ends.
  cursor_id text collate "C" not null,
  end_id text collate "C" not null,
  from_at timestamptz not null,
  to_at timestamptz not null,
  -- Events that were missed, as they were counted at the start.
  missed int4 not null,
  -- Deliveries and further attempts made so far, and events held back for a suspended number.
  made int4 not null default 0,
  held int4 not null default 0,
  due_at timestamptz not null,
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (environment_id, id)
);
-- The head of each endpoint's recoveries.
create index webhook_recoveries_due on webhook_recoveries (endpoint_id, due_at) where status = 'running';
-- The last one of an endpoint, for its page.
create index webhook_recoveries_endpoint on webhook_recoveries (endpoint_id, environment_id, id);
-- For the sweep of old ones.
create index webhook_recoveries_ended on webhook_recoveries (ended_at) where ended_at is not null;
