-- Messages of each number by hour, counted as `activity_hours` is (decision 0068): the measure is the number's id with what happened to a message.
create table number_activity_hours (
  environment_id text collate "C" not null,
  measure text collate "C" not null,
  -- The beginning of an hour, UTC, of the environment's own time.
  hour timestamptz not null,
  count int8 not null check (count >= 0),
  amount int8 not null,
  primary key (environment_id, measure, hour)
);
create index number_activity_hours_age on number_activity_hours (hour);

insert into activity_borders (source, counted_before) values ('numbers', pg_snapshot_xmin(pg_current_snapshot())::text::int8);
