-- A report that was stored proves that its message left, before anyone has worked on it: no try of that message is made
-- while such a report waits.

alter table vendor_webhook_work
  -- Our ids of the messages whose statuses the call tells, joined by spaces. Null for calls that tell of none, and once
  -- the owner has worked on the call.
  add column reported_messages text;

create index vendor_webhook_work_reported on vendor_webhook_work (owner_id) where reported_messages is not null;
