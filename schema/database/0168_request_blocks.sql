-- Finished requests of one environment that a node wrote together: a row, a sealing and an entry of each index for all of
-- them, where `request_logs` had one of each for every request. Decision 0182

-- Rows of `request_logs` are read until their retention ends, and nodes of the release before go on writing them; the
-- release after the next one may drop that table.
create table request_blocks (
  environment_id text collate "C" not null,
  -- Ids of the newest and the oldest request; all lie in the same ten seconds.
  last_id text collate "C" not null,
  first_id text collate "C" not null,
  production boolean not null,
  -- A block holds refusals alone or none. Refusals are few and are what is looked for.
  refused boolean not null,
  -- What the callers of all its requests sent as svc-trace-id; null where none did, and each request's id tells its trace.
  trace_id text,
  -- What lists show of each request, as JSON by columns.
  lines text not null,
  -- Sealed: paths, queries, idempotency keys and bodies. Null once erasure left none.
  details bytea,
  -- 48 bits of the keyed hashes of the customers whom the details name.
  subjects bigint[],
  primary key (environment_id, last_id)
);
create index request_blocks_refusals on request_blocks (environment_id, last_id) where refused;
create index request_blocks_trace on request_blocks (environment_id, trace_id, last_id) where trace_id is not null;
create index request_blocks_subjects on request_blocks using gin (subjects) where subjects is not null;

-- Details are compressed before they are sealed, and a block of a few requests stays in one row.
alter table request_blocks alter column details set storage external;
alter table request_blocks set (toast_tuple_target = 8160);
