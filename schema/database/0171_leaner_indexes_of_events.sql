-- An event is found by its customer only when the customer is erased: the hash alone finds it, a third as wide, and
-- the events of one message share an entry.
drop index outbox_events_subject;
create index outbox_events_subject on outbox_events (subject) where subject is not null;
drop index webhook_events_subject;
create index webhook_events_subject on webhook_events (subject) where subject is not null;

-- Restores alone asked for the newest event, which the transaction's number tells too. A node of the release before
-- asks so at a restore only, and gets the answer more slowly.
drop index outbox_events_created;
