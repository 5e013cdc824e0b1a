-- Events wait for a position only where someone listens, but each had an entry in the index of those that wait, as wide as
-- its primary key. Only environments whose events were ever numbered have them now: their row of `outbox_counters` says so.
-- Decision 0186

-- Rows of before, and those that nodes of the release before write, are in the index.
alter table outbox_events add column listened boolean default true;

-- All events of the environment from this id on have a position or are in the index.
alter table outbox_counters add column complete_from text collate "C";
update outbox_counters set complete_from = '';

-- A node of the release before finds the events that wait along the primary key, which is slower and as complete.
drop index outbox_events_unnumbered;
create index outbox_events_waiting on outbox_events (environment_id, id) where position is null and listened;
