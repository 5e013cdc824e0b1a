-- Listening: sessions of production keys, and who waits. The stream itself is `outbox_events`, in the order of `position`.

create table webhook_listen_sessions (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  -- The owner is a key's id, so that rotation keeps ownership.
  api_key_id text collate "C" not null,
  -- Sessions that ended by themselves keep 'active' until the next one is made; reads judge by the instants.
  status text not null check (status in ('active', 'disabled', 'expired')),
  reason text,
  trace_id text not null,
  -- The stream is read from here: everything at or before it was created before the session was.
  start_position int8 not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  disabled_at timestamptz,
  primary key (environment_id, id),
  check ((status = 'disabled') = (disabled_at is not null))
);
create unique index webhook_listen_sessions_active on webhook_listen_sessions (environment_id) where status = 'active';
create index webhook_listen_sessions_age on webhook_listen_sessions (expires_at);

-- Environments with an open long poll, a hint with an end: commits on other nodes wake their owner.
create table webhook_listen_waits (
  environment_id text collate "C" primary key,
  until timestamptz not null
);
create index webhook_listen_waits_age on webhook_listen_waits (until);
