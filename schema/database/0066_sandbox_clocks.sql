-- The clock of a sandbox that was turned. The foreign key and the check keep production environments out: no row of theirs
-- can exist, so no code path can lead their time.
alter table environments add constraint environments_id_kind unique (id, kind);

create table sandbox_clocks (
  environment_id text collate "C" primary key,
  kind text not null default 'sandbox' check (kind = 'sandbox'),
  -- By how much the environment's time is ahead of real time, in milliseconds, while the clock runs.
  lead_ms int8 not null default 0,
  -- The instant at which the clock stands; null while it runs.
  stands_at timestamptz,
  -- The real instant at which its owner looks next at what is due in the environment.
  due_at timestamptz not null,
  foreign key (environment_id, kind) references environments (id, kind)
);
