-- One row a shard: the epoch is bumped by the node that has just been granted the shard's lock, and every
-- commit names the epoch it decided under. A node that lost a shard writes nothing for it.
create table shard_epochs (
  shard int4 primary key,
  epoch int8 not null
);

-- One row a group commit: what was written, so that an unknown outcome can be read again by its id.
create table commits (
  id text collate "C" primary key,
  created_at timestamptz not null,
  outcome text not null
);
create index commits_created on commits (created_at);

-- Idempotency keys. The response is sealed; the request is kept as a keyed fingerprint only.
create table idempotency_records (
  environment_id text collate "C" not null,
  key_hash text collate "C" not null,
  fingerprint text not null,
  status text not null check (status in ('in_progress', 'completed')),
  response_status int4,
  response_body bytea,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (environment_id, key_hash)
);
create index idempotency_records_expiry on idempotency_records (expires_at);

-- Events. The envelope is serialized once and sent, previewed and resent byte for byte. `position` is given after
-- commit, by the environment's owner, from the counter below: the order of listen.
create table outbox_events (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  type text not null,
  source_type text not null,
  source_id text not null,
  trace_id text not null,
  created_at timestamptz not null,
  position int8,
  envelope text not null,
  primary key (environment_id, id)
);
create index outbox_events_unnumbered on outbox_events (environment_id, id) where position is null;
create unique index outbox_events_position on outbox_events (environment_id, position) where position is not null;
create index outbox_events_created on outbox_events (created_at);

create table outbox_counters (
  environment_id text collate "C" primary key,
  position int8 not null
);

-- Levels an owner keeps in memory and saves now and then (buckets): losing the last second is allowed.
create table owner_levels (
  owner_type text not null,
  owner_id text collate "C" not null,
  levels text not null,
  saved_at timestamptz not null,
  primary key (owner_type, owner_id)
);
