-- Finished requests of the API, for the people who make them. gaps-1 C "Scope catalog"

create table request_logs (
  environment_id text collate "C" not null,
  id text collate "C" not null,
  production boolean not null,
  api_key_id text collate "C" not null,
  method text not null,
  -- As the contract writes it, such as `/v1/messages/{message_id}`.
  route text not null,
  status integer not null,
  -- Code of the refusal.
  code text,
  duration_ms integer not null,
  source_address text not null,
  replayed boolean not null,
  trace_id text not null,
  created_at timestamptz not null,
  -- Sealed: path, query, idempotency key and bodies. Null once erasure reached it.
  details bytea,
  -- Keyed hashes of the customers that the details name.
  subjects text[],
  primary key (environment_id, id)
);
-- Refusals are few and are what is looked for.
create index request_logs_refusals on request_logs (environment_id, id) where status >= 400;
create index request_logs_trace on request_logs (environment_id, trace_id, id);
create index request_logs_subjects on request_logs using gin (subjects) where subjects is not null;

-- How many requests of an hour are not in the log: reads left out by sampling, and rows that there was no room for.
create table request_log_counts (
  environment_id text collate "C" not null,
  hour timestamptz not null,
  sampled bigint not null,
  dropped bigint not null,
  primary key (environment_id, hour)
);
