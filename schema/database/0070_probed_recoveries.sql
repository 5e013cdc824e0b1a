-- A recovery may begin with a test of its endpoint: only a test that succeeds enables the endpoint and lets it go on.
alter table webhook_recoveries
  -- The delivery of that test, in webhook_events.
  add column probe_id text collate "C",
  add column awaits_probe bool not null default false,
  add column stop_reason text check (stop_reason in ('probe_failed', 'endpoint_disabled'));
