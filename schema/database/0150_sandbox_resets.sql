-- A reset empties a sandbox and takes its clock back to real time.
alter table sandbox_clocks
  -- How often the sandbox was reset: memory and caches of an earlier count are forgotten.
  add column resets int4 not null default 0,
  -- True while rows are being deleted: no write of the sandbox begins.
  add column resetting boolean not null default false;

alter table sandbox_clock_advances
  -- A reset has a row as an advance has, so that it goes on after a kill.
  add column kind text not null default 'advance' check (kind in ('advance', 'reset')),
  -- The idempotency key of the reset, whose stored response stays.
  add column request_key text;

-- Entries of a sandbox go with its reset. No entry is ever changed, and no other one is removed.
create function ledger_entry_stays() returns trigger language plpgsql as $$
begin
  if old.environment = 'sandbox' then
    return old;
  end if;
  raise exception 'ledger entries are never changed or removed';
end $$;
drop trigger ledger_entries_final on ledger_entries;
create trigger ledger_entries_final before update on ledger_entries
  for each statement execute function ledger_is_final();
create trigger ledger_entries_stay before delete on ledger_entries
  for each row execute function ledger_entry_stays();
