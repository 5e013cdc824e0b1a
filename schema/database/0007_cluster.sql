-- The database session each runner holds its shard locks on. While `pg_stat_activity` shows that session the runner
-- lives; once it is gone, so are its locks, and every node moves its shards.
create table runner_sessions (
  address text collate "C" primary key,
  pid int4 not null,
  started_at timestamptz not null
);
