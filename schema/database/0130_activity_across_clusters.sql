-- Numbers of transactions belong to a database cluster: a dump that is loaded elsewhere, or tables that are replicated into another major version,
-- bring rows with the numbers of the former cluster. Each row is numbered by this function from now on. A start that finds itself in another cluster
-- makes it add as much as lets the new numbers follow the old ones, so that nothing is counted twice or left out.
create function activity_number() returns int8 language sql stable
  as 'select pg_current_xact_id()::text::int8';

alter table outbox_events alter column written_in set default activity_number();
alter table ledger_entries alter column written_in set default activity_number();

-- The cluster whose transactions the border counts, by PostgreSQL's identifier, and what is added to their numbers. A border ahead of every
-- transaction came from another cluster before this was written down: the next start takes it for what it is.
alter table activity_borders add column system_identifier text;
alter table activity_borders add column ahead int8 not null default 0;
update activity_borders set system_identifier = (select system_identifier::text from pg_control_system())
where not exists (
  select from activity_borders where counted_before > pg_snapshot_xmin(pg_current_snapshot())::text::int8
);
