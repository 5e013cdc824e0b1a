-- Calls of each webhook endpoint by hour, counted as `activity_hours` is (decision 0068): the measure is the endpoint's id with the outcome.
create table endpoint_activity_hours (
  environment_id text collate "C" not null,
  measure text collate "C" not null,
  -- The beginning of an hour, UTC, of the environment's own time.
  hour timestamptz not null,
  count int8 not null check (count >= 0),
  -- Milliseconds that the calls took.
  amount int8 not null,
  primary key (environment_id, measure, hour)
);
create index endpoint_activity_hours_age on endpoint_activity_hours (hour);

insert into activity_borders (source, counted_before) values ('endpoints', pg_snapshot_xmin(pg_current_snapshot())::text::int8);
