-- Whom stored events, their deliveries and stored responses are about: a keyed hash of the customer within its
-- environment, so that erasure finds them and nobody reads a customer out of them. gaps-2 I "Erasure"
alter table outbox_events add column subject text collate "C";
-- Null where nothing is about a customer: such rows are in none of these. The narrowing column leads.
create index outbox_events_subject on outbox_events (subject, environment_id, id) where subject is not null;

alter table webhook_events add column subject text collate "C";
create index webhook_events_subject on webhook_events (subject, environment_id, id) where subject is not null;

-- The subject of a response about one customer stands in its record; of one about several (an import), beside it.
alter table idempotency_records add column subject text collate "C";
create index idempotency_records_subject on idempotency_records (subject, environment_id, key_hash)
  where subject is not null;
create table idempotency_subjects (
  environment_id text collate "C" not null,
  key_hash text collate "C" not null,
  subject text collate "C" not null,
  expires_at timestamptz not null,
  primary key (subject, environment_id, key_hash)
);
create index idempotency_subjects_expiry on idempotency_subjects (expires_at);
