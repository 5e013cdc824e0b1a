-- The engine's own tables, as a product without the migrations of this one makes them. Locks and runners are tables of
-- the runtime library, which makes them itself. A test compares these with what `schema/database` makes.

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

-- Idempotency keys. The response is sealed; the request is kept as a keyed fingerprint only. The subject is the keyed
-- hash of the one customer that the response is about.
create table idempotency_records (
  environment_id text collate "C" not null,
  key_hash text collate "C" not null,
  fingerprint text not null,
  status text not null check (status in ('in_progress', 'completed')),
  response_status int4,
  response_body bytea,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  subject text collate "C",
  primary key (environment_id, key_hash)
);
create index idempotency_records_expiry on idempotency_records (expires_at);
create index idempotency_records_subject on idempotency_records (subject, environment_id, key_hash)
  where subject is not null;

-- The customers of a response about several.
create table idempotency_subjects (
  environment_id text collate "C" not null,
  key_hash text collate "C" not null,
  subject text collate "C" not null,
  expires_at timestamptz not null,
  primary key (subject, environment_id, key_hash)
);
create index idempotency_subjects_expiry on idempotency_subjects (expires_at);

-- Levels an owner keeps in memory and saves now and then (buckets): losing the last second is allowed.
create table owner_levels (
  owner_type text not null,
  owner_id text collate "C" not null,
  levels text not null,
  saved_at timestamptz not null,
  primary key (owner_type, owner_id)
);

-- The database session each runner holds its shard locks on. While `pg_stat_activity` shows that session the runner
-- lives; once it is gone, so are its locks, and every node moves its shards.
create table runner_sessions (
  address text collate "C" primary key,
  pid int4 not null,
  started_at timestamptz not null
);
