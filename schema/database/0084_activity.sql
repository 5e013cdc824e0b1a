-- What happens in an environment by hour, for reports: counted from rows that exist anyway, each exactly once, by the transaction that wrote it.
-- A transaction older than every open one can add no more rows, so what lies between two such borders is complete.
create table activity_hours (
  environment_id text collate "C" not null,
  measure text collate "C" not null,
  -- The beginning of an hour, UTC, of the environment's own time.
  hour timestamptz not null,
  count int8 not null check (count >= 0),
  -- What the measure sums: 1/10,000 BRL of money, milliseconds of deliveries; 0 where it only counts.
  amount int8 not null,
  primary key (environment_id, measure, hour)
);
create index activity_hours_age on activity_hours (hour);

create table activity_borders (
  source text primary key,
  -- Everything that older transactions wrote is counted.
  counted_before int8 not null
);
insert into activity_borders (source, counted_before)
select source, pg_snapshot_xmin(pg_current_snapshot())::text::int8
from unnest(array['events', 'deliveries', 'ledger']) source;

alter table outbox_events add column written_in int8;
alter table outbox_events alter column written_in set default pg_current_xact_id()::text::int8;
create index outbox_events_written_in on outbox_events (written_in);

alter table ledger_entries add column written_in int8;
alter table ledger_entries alter column written_in set default pg_current_xact_id()::text::int8;
create index ledger_entries_written_in on ledger_entries (written_in);

-- The transaction that stored the outcome of a call; null where nothing was sent.
alter table webhook_attempts add column ended_in int8;
create index webhook_attempts_ended_in on webhook_attempts (ended_in) where ended_in is not null;
